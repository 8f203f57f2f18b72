// Funcmaps and marker words for C++ programs: header-only, C++17, no dependency.
//
// A funcmap is the text of a code object's `.sqtt_funcmap` section. It gives marker ids their names and
// says how marker words are laid out. This header reads that text and the words; it opens no file.
//
//   sqtt::CodeobjMap codeobjs;
//   codeobjs.add(7, section_bytes);                    // once per code object
//   const auto marker = codeobjs.decodeMarkerValue(7, raw_shaderdata_value);
//   const auto* entry = codeobjs.getFuncmap(7).find(marker.id);
//   const auto& encoding = codeobjs.getFuncmap(7).marker_encoding;
//   if (marker.has_shader_clock)
//       sampled_low_word = encoding.decode_shader_clock(raw_shaderdata_value) << encoding.shader_clock_shift;
//
// Everything that can be read of a text is read; what cannot is a Diagnostic with its line. Nothing is
// printed and nothing is thrown, except std::bad_alloc.

#ifndef SQTT_DECODER_HPP
#define SQTT_DECODER_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sqtt {

// How marker words are laid out: without a clock all bits above the two flags are the id; with one the
// word is clock:bits | id:30-bits | enter | exit. A layout that is not valid is treated as without a clock.
struct MarkerEncoding {
    std::uint32_t shader_clock_bits = 0;
    std::uint32_t shader_clock_shift = 0;

    static constexpr std::uint32_t max_clock_bits = 29;

    constexpr bool has_shader_clock() const { return shader_clock_bits > 0; }

    // At most 29 bits, out of the 32 of the clock's low word.
    constexpr bool is_valid() const {
        return shader_clock_bits <= max_clock_bits && shader_clock_shift <= 32
            && shader_clock_bits <= 32 - shader_clock_shift;
    }

    // Where the id is in a raw word: 0xFFFFFFFC without a clock.
    constexpr std::uint32_t marker_id_mask() const { return (0xFFFFFFFFu >> bits()) & ~std::uint32_t{3}; }

    // Where the clock is in a raw word: 0 without a clock.
    constexpr std::uint32_t packed_shader_clock_mask() const { return ~(0xFFFFFFFFu >> bits()); }

    // Which bits of the clock's low word the clock field holds: 0 without a clock.
    constexpr std::uint32_t shader_clock_source_mask() const {
        return bits() == 0 ? 0 : ((std::uint32_t{1} << bits()) - 1) << shader_clock_shift;
    }

    // The right-aligned clock field of a word that is known to be a packed header; 0 without a clock.
    constexpr std::uint32_t decode_shader_clock(std::uint32_t raw) const {
        return bits() == 0 ? 0 : raw >> (32 - bits());
    }

private:
    constexpr std::uint32_t bits() const { return is_valid() ? shader_clock_bits : 0; }
};

// One marker word, read.
struct Marker {
    std::uint32_t id = 0;
    bool enter = false;
    bool exit_prev = false;
    // Whether the word was read as a packed header, so that its clock field means something.
    bool has_shader_clock = false;
};

// Reads a word that is known to be a header of this layout.
constexpr Marker decode_marker_value(std::uint32_t raw, const MarkerEncoding& encoding) {
    return {(raw & encoding.marker_id_mask()) >> 2, (raw & 2) != 0, (raw & 1) != 0,
            encoding.is_valid() && encoding.has_shader_clock()};
}

enum class EntryKind : char { function = 'F', kernel = 'K', user = 'U', point = 'P' };

// An F:, K:, U: or P: row with the R: row that belongs to it.
struct FuncmapEntry {
    EntryKind kind = EntryKind::point;
    std::uint32_t id = 0;  // 0 for kernels, which have none
    std::string name;
    std::string source_loc;  // empty where there is none
    std::uint32_t extra_payload_count = 0;
};

// A row that is wrong or looks so. Lines count from 1; newlines and NULs end them.
struct Diagnostic {
    std::size_t line = 0;
    std::string message;
};

// What one funcmap says.
class Funcmap {
public:
    MarkerEncoding marker_encoding;
    std::uint32_t wave_size = 0;  // of the last W: row; 0 without one
    std::vector<FuncmapEntry> entries;
    std::vector<Diagnostic> diagnostics;

    // Reads the bytes of a section.
    static Funcmap parse(std::string_view section);

    // The entry that names a marker id: the last one, where several do.
    const FuncmapEntry* find(std::uint32_t id) const {
        const auto found = by_id_.find(id);
        return found == by_id_.end() ? nullptr : &entries[found->second];
    }

    // Records after a header of that id that are its payload, also where no row names the id.
    std::uint32_t payload_count(std::uint32_t id) const {
        if (const auto* entry = find(id)) return entry->extra_payload_count;
        const auto found = payload_without_row_.find(id);
        return found == payload_without_row_.end() ? 0 : found->second;
    }

private:
    std::unordered_map<std::uint32_t, std::size_t> by_id_;
    std::map<std::uint32_t, std::uint32_t> payload_without_row_;

    friend struct FuncmapReader;
};

// Reads a word of which only the code object is known: a packed header when the map knows its packed id
// or it is a bare exit, a plain word otherwise. A number that a user traced and whose low bits are a known
// id cannot be told from that header.
inline Marker decode_marker_value(std::uint32_t raw, const Funcmap& map) {
    const MarkerEncoding& encoding = map.marker_encoding;
    const Marker packed = decode_marker_value(raw, encoding);
    const bool bare_exit = packed.id == 0 && packed.exit_prev && !packed.enter;
    if (packed.has_shader_clock && (bare_exit || map.find(packed.id) != nullptr)) return packed;
    return decode_marker_value(raw, MarkerEncoding{});
}

// Funcmaps by the id of their code object.
class CodeobjMap {
public:
    // Reads a section and keeps it under that id, in the place of what was there.
    const Funcmap& add(std::uint64_t codeobj_id, std::string_view section) {
        return maps_[codeobj_id] = Funcmap::parse(section);
    }

    // The funcmap of a code object; an empty one where there is none.
    const Funcmap& getFuncmap(std::uint64_t codeobj_id) const {
        static const Funcmap none;
        const auto found = maps_.find(codeobj_id);
        return found == maps_.end() ? none : found->second;
    }

    bool contains(std::uint64_t codeobj_id) const { return maps_.count(codeobj_id) != 0; }

    Marker decodeMarkerValue(std::uint64_t codeobj_id, std::uint32_t raw) const {
        return decode_marker_value(raw, getFuncmap(codeobj_id));
    }

private:
    std::map<std::uint64_t, Funcmap> maps_;
};

// Reads a funcmap row by row.
struct FuncmapReader {
    Funcmap map;

    void read(std::string_view section) {
        std::size_t line = 0;
        for (std::size_t start = 0; start <= section.size();) {
            std::size_t end = section.find_first_of(std::string_view("\n\0", 2), start);
            if (end == std::string_view::npos) end = section.size();
            row(++line, trim(section.substr(start, end - start)));
            start = end + 1;
        }
        finish();
    }

private:
    struct Payload {
        std::uint32_t count;
        std::size_t line;
    };
    std::map<std::uint32_t, Payload> payloads_;

    static std::string_view trim(std::string_view text) {
        const std::size_t last = text.find_last_not_of(" \t\r");
        return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
    }

    void complain(std::size_t line, std::string what, std::string_view row) {
        constexpr std::size_t limit = 200;
        what += ": \"";
        what.append(row.substr(0, limit));
        what += '"';
        map.diagnostics.push_back({line, std::move(what)});
    }

    void row(std::size_t line, std::string_view row) {
        if (row.empty()) return;
        if (row.size() < 2 || row[1] != ':') {
            return complain(line, "malformed row, expected a letter of F K U P W R M and a colon", row);
        }
        const std::string_view rest = row.substr(2);
        switch (row[0]) {
            case 'F': case 'K': case 'U': case 'P': return entry(line, row, static_cast<EntryKind>(row[0]), rest);
            case 'W': return wave_size(line, row, rest);
            case 'M': return encoding(line, row, rest);
            case 'R': return payload(line, row, rest);
            default: return complain(line, "unknown row prefix", row);
        }
    }

    // Digits only, and at most 2^32-1.
    static std::optional<std::uint32_t> decimal(std::string_view digits) {
        if (digits.empty()) return std::nullopt;
        std::uint64_t value = 0;
        for (const char digit : digits) {
            if (digit < '0' || digit > '9') return std::nullopt;
            value = value * 10 + static_cast<std::uint64_t>(digit - '0');
            if (value > 0xFFFFFFFFu) return std::nullopt;
        }
        return static_cast<std::uint32_t>(value);
    }

    static int hex(char digit) {
        if (digit >= '0' && digit <= '9') return digit - '0';
        if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
        if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
        return -1;
    }

    // A field that starts with "%:" has its bytes as %XX where they could not stand in a row. One that
    // holds another % was not written so and is taken as it stands.
    static std::string unescape(std::string_view field) {
        if (field.substr(0, 2) != "%:") return std::string(field);
        std::string text;
        for (std::size_t at = 2; at < field.size(); ++at) {
            if (field[at] != '%') {
                text += field[at];
                continue;
            }
            const int high = at + 1 < field.size() ? hex(field[at + 1]) : -1;
            const int low = at + 2 < field.size() ? hex(field[at + 2]) : -1;
            if (high < 0 || low < 0) return std::string(field);
            text += static_cast<char>(high << 4 | low);
            at += 2;
        }
        return text;
    }

    void entry(std::size_t line, std::string_view row, EntryKind kind, std::string_view rest) {
        FuncmapEntry entry;
        entry.kind = kind;
        const bool has_id = kind != EntryKind::kernel;
        if (has_id) {
            const std::size_t colon = rest.find(':');
            const auto id = colon == std::string_view::npos ? std::nullopt : decimal(rest.substr(0, colon));
            if (!id) return malformed(line, row, kind);
            entry.id = *id;
            rest = rest.substr(colon + 1);
        }
        const std::size_t at = rest.find('@');
        const std::string_view name = rest.substr(0, at);
        if (name.empty()) return malformed(line, row, kind);
        entry.name = unescape(name);
        if (at != std::string_view::npos) entry.source_loc = unescape(rest.substr(at + 1));
        if (has_id) {
            if (map.find(entry.id) != nullptr) {
                complain(line, "duplicate marker ID " + std::to_string(entry.id), row);
            }
            map.by_id_[entry.id] = map.entries.size();
        }
        map.entries.push_back(std::move(entry));
    }

    void malformed(std::size_t line, std::string_view row, EntryKind kind) {
        std::string what = "malformed ";
        what += static_cast<char>(kind);
        what += ": row";
        complain(line, std::move(what), row);
    }

    void wave_size(std::size_t line, std::string_view row, std::string_view rest) {
        const auto size = decimal(rest);
        if (!size) return complain(line, "malformed W: row, expected W:32 or W:64", row);
        map.wave_size = *size;
        if (*size != 32 && *size != 64) complain(line, "wave size is neither 32 nor 64", row);
    }

    // The value of an attribute of a "key=value;…" list; false where it is no number.
    static bool attribute(std::string_view list, std::string_view key, std::optional<std::uint32_t>& value) {
        for (std::size_t start = 0; start <= list.size();) {
            std::size_t end = list.find(';', start);
            if (end == std::string_view::npos) end = list.size();
            const std::string_view item = list.substr(start, end - start);
            const std::size_t equals = item.find('=');
            if (equals != std::string_view::npos && item.substr(0, equals) == key) {
                value = decimal(item.substr(equals + 1));
                if (!value) return false;
            }
            start = end + 1;
        }
        return true;
    }

    void encoding(std::size_t line, std::string_view row, std::string_view rest) {
        std::optional<std::uint32_t> bits, shift;
        const bool numbers =
            attribute(rest, "shader_clock_bits", bits) && attribute(rest, "shader_clock_shift", shift);
        if (numbers && !bits && !shift) return;
        const MarkerEncoding layout{bits.value_or(0), shift.value_or(0)};
        const bool complete = !(bits && *bits > 0 && !shift);
        if (!numbers || !complete || !layout.is_valid()) {
            return complain(line, "malformed M: row, expected M:shader_clock_bits=N;shader_clock_shift=S", row);
        }
        map.marker_encoding = layout;
    }

    void payload(std::size_t line, std::string_view row, std::string_view rest) {
        const std::size_t colon = rest.find(':');
        const auto id = colon == std::string_view::npos ? std::nullopt : decimal(rest.substr(0, colon));
        std::optional<std::uint32_t> count;
        if (!id || !attribute(rest.substr(colon + 1), "extra_payload_count", count) || !count) {
            return complain(line, "malformed R: row, expected R:id:extra_payload_count=N", row);
        }
        payloads_[*id] = {*count, line};
    }

    // Payload counts reach every entry of their id, wherever its row stands.
    void finish() {
        for (auto& entry : map.entries) {
            const auto found = payloads_.find(entry.id);
            if (entry.kind != EntryKind::kernel && found != payloads_.end()) {
                entry.extra_payload_count = found->second.count;
            }
        }
        for (const auto& [id, payload] : payloads_) {
            if (map.find(id) != nullptr) continue;
            map.payload_without_row_[id] = payload.count;
            const std::string what = "payload of marker ID " + std::to_string(id) + ", which no row names";
            map.diagnostics.push_back({payload.line, what});
        }
    }
};

inline Funcmap Funcmap::parse(std::string_view section) {
    FuncmapReader reader;
    reader.read(section);
    return std::move(reader.map);
}

}  // namespace sqtt

#endif  // SQTT_DECODER_HPP
