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
// A code object that was linked of several units has a map of each, in one section or in several (addAll). Where these
// give one id several meanings, the kernel of a wave says which map is meant:
//
//   const auto& map = codeobjs.getFuncmap(7, "_Z4workPi");   // the map of that kernel's waves
//
// Everything that can be read of a text is read; what cannot is a Diagnostic with its line. Nothing is
// printed and nothing is thrown, except std::bad_alloc.

#ifndef SQTT_DECODER_HPP
#define SQTT_DECODER_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
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

// A row that is wrong or looks so. Lines count from 1, through all sections; newlines and NULs end them. Line 0 is of no
// row: maps that give ids several meanings.
struct Diagnostic {
    std::size_t line = 0;
    std::string message;
};

// The contents of a code object's funcmap.
class Funcmap {
public:
    MarkerEncoding marker_encoding;
    std::uint32_t wave_size = 0;  // of the last W: row; 0 without one
    std::vector<FuncmapEntry> entries;
    std::vector<Diagnostic> diagnostics;
    // The maps, where a linker joined several: each with its own ids, layout and wave size, and their entries one after the
    // other are those of `entries`. Empty where there is one.
    std::vector<Funcmap> maps;
    // Ids that mean different things in different maps of the code object. Of a kernel's map those of the whole code
    // object: a function of another unit may have written such a word.
    std::set<std::uint32_t> shared_ids;

    // Reads the bytes of a section.
    static Funcmap parse(std::string_view section) { return parse_all({section}); }

    // Reads several sections, which `ld.lld -r` leaves apart, as the one that a link makes of them.
    static Funcmap parse_all(const std::vector<std::string_view>& sections);

    // The entry that names a marker id: the last one, where several rows of one map do. Null also where several maps
    // give the id different meanings: the map of the wave's kernel has that of the kernel's unit.
    const FuncmapEntry* find(std::uint32_t id) const {
        const auto found = by_id_.find(id);
        return found == by_id_.end() || (!maps.empty() && shared_ids.count(id) != 0) ? nullptr
                                                                                     : &entries[found->second];
    }

    // True if a row names a marker id, whatever it means.
    bool knows(std::uint32_t id) const { return by_id_.count(id) != 0; }

    // The map that words of a kernel's waves are looked up in, by the kernel's mangled name. That is the whole where no id
    // has several meanings and all layouts agree. Otherwise it has the rows of the kernel's own unit, and those of
    // others whose ids mean one thing. Null where it cannot be told.
    const Funcmap* for_kernel(std::string_view kernel) const {
        if (lookups_.size() == 1) return &lookups_.front();
        if (lookups_.empty()) return this;
        const auto found = lookup_of_.find(kernel);
        return found == lookup_of_.end() || !found->second ? nullptr : &lookups_[*found->second];
    }

    // Records after a header of that id that are its payload, also where no row names the id. Of an id with several
    // meanings 0 where these disagree.
    std::uint32_t payload_count(std::uint32_t id) const {
        if (const auto* entry = find(id)) return entry->extra_payload_count;
        const auto found = payload_without_row_.find(id);
        return found == payload_without_row_.end() ? 0 : found->second;
    }

private:
    std::unordered_map<std::uint32_t, std::size_t> by_id_;
    std::map<std::uint32_t, std::uint32_t> payload_without_row_;
    // Maps by kernels, where no map serves all.
    std::vector<Funcmap> lookups_;
    std::map<std::string, std::optional<std::size_t>, std::less<>> lookup_of_;

    void push(FuncmapEntry entry) {
        if (entry.kind != EntryKind::kernel) by_id_[entry.id] = entries.size();
        entries.push_back(std::move(entry));
    }

    void payload_without_row(std::uint32_t id, std::uint32_t count) {
        if (!knows(id)) payload_without_row_[id] = count;
    }

    friend struct FuncmapReader;
    friend struct FuncmapScopes;
    friend struct FuncmapJoiner;
};

// Reads a word of which only the code object is known: a packed header when the map knows its packed id
// or it is a bare exit, a plain word otherwise. A number that a user traced and whose low bits are a known
// id cannot be told from that header.
inline Marker decode_marker_value(std::uint32_t raw, const Funcmap& map) {
    const MarkerEncoding& encoding = map.marker_encoding;
    const Marker packed = decode_marker_value(raw, encoding);
    const bool bare_exit = packed.id == 0 && packed.exit_prev && !packed.enter;
    if (packed.has_shader_clock && (bare_exit || map.knows(packed.id))) return packed;
    return decode_marker_value(raw, MarkerEncoding{});
}

// Funcmaps by the id of their code object.
class CodeobjMap {
public:
    // Reads a section and keeps it under that id, in the place of what was there.
    const Funcmap& add(std::uint64_t codeobj_id, std::string_view section) {
        return maps_[codeobj_id] = Funcmap::parse(section);
    }

    // The same for a code object with several such sections, in their order.
    const Funcmap& addAll(std::uint64_t codeobj_id, const std::vector<std::string_view>& sections) {
        return maps_[codeobj_id] = Funcmap::parse_all(sections);
    }

    // The funcmap of a code object; an empty one where there is none.
    const Funcmap& getFuncmap(std::uint64_t codeobj_id) const {
        const auto found = maps_.find(codeobj_id);
        return found == maps_.end() ? none() : found->second;
    }

    // The funcmap for the waves of a kernel of it; an empty one where it cannot be told.
    const Funcmap& getFuncmap(std::uint64_t codeobj_id, std::string_view kernel) const {
        const Funcmap* map = getFuncmap(codeobj_id).for_kernel(kernel);
        return map == nullptr ? none() : *map;
    }

    bool contains(std::uint64_t codeobj_id) const { return maps_.count(codeobj_id) != 0; }

    Marker decodeMarkerValue(std::uint64_t codeobj_id, std::uint32_t raw) const {
        return decode_marker_value(raw, getFuncmap(codeobj_id));
    }

    Marker decodeMarkerValue(std::uint64_t codeobj_id, std::string_view kernel, std::uint32_t raw) const {
        return decode_marker_value(raw, getFuncmap(codeobj_id, kernel));
    }

private:
    static const Funcmap& none() {
        static const Funcmap map;
        return map;
    }

    std::map<std::uint64_t, Funcmap> maps_;
};

// Finds the borders between maps that a linker put one behind the other. A map ends at a NUL and at the end of a section;
// without one, where an id comes a second time and both sides have a kernel. The rows right before it that stand at the
// head of maps (M:, W:, K:) belong to the second map.
struct FuncmapScopes {
    // The value of an M: or W: row, and its number among all such rows.
    template <class T>
    struct Row {
        std::size_t index;
        T value;
    };

    // A map as far as it was read: a range of the entries.
    struct Scope {
        std::size_t first = 0;
        std::size_t end = 0;
        bool is_restart = false;  // begun by an id that came again, not by a NUL
        bool has_kernel = false;
        std::optional<Row<MarkerEncoding>> encoding;
        std::optional<Row<std::uint32_t>> wave_size;
        std::map<std::uint32_t, std::uint32_t> payloads;

        bool is_empty() const { return first == end && payloads.empty(); }

        Funcmap build(const std::vector<FuncmapEntry>& entries) const {
            Funcmap map;
            for (std::size_t index = first; index < end; ++index) {
                FuncmapEntry entry = entries[index];
                const auto found = payloads.find(entry.id);
                const bool has_payload = entry.kind != EntryKind::kernel && found != payloads.end();
                entry.extra_payload_count = has_payload ? found->second : 0;
                map.push(std::move(entry));
            }
            if (encoding) map.marker_encoding = encoding->value;
            if (wave_size) map.wave_size = wave_size->value;
            for (const auto& [id, count] : payloads) map.payload_without_row(id, count);
            return map;
        }
    };

    void nul(std::size_t entries) {
        Scope next;
        next.first = entries;
        begin(std::move(next));
    }

    void wave_size(std::size_t entries, std::uint32_t size) {
        before_head(entries);
        now_.wave_size = Row<std::uint32_t>{rows_++, size};
    }

    void encoding(std::size_t entries, const MarkerEncoding& encoding) {
        before_head(entries);
        now_.encoding = Row<MarkerEncoding>{rows_++, encoding};
    }

    void payload(std::uint32_t id, std::uint32_t count) {
        now_.payloads[id] = count;
        head_.reset();
        tail_.reset();
    }

    // The row of an entry behind so many others.
    void entry(std::size_t entries, const FuncmapEntry& entry) {
        if (entries == now_.first) is_kernel_first_ = entry.kind == EntryKind::kernel;
        if (entry.kind == EntryKind::kernel) {
            before_head(entries);
            tail_.reset();
            return;
        }
        if (!ids_.insert(entry.id).second) {
            // Maps that have functions before their kernels end with the kernels.
            const bool is_late = entry.kind == EntryKind::function && !is_kernel_first_;
            const Mark start = (is_late ? tail_ : head_).value_or(mark(entries));
            Scope next;
            next.first = start.entries;
            next.is_restart = true;
            if (now_.encoding && now_.encoding->index >= start.rows) next.encoding = now_.encoding;
            if (now_.wave_size && now_.wave_size->index >= start.rows) next.wave_size = now_.wave_size;
            now_.encoding = start.encoding;
            now_.wave_size = start.wave_size;
            begin(std::move(next));
            ids_.insert(entry.id);
            is_kernel_first_ = start.entries < entries;
        }
        head_.reset();
        tail_.reset();
    }

    // The maps, at least one.
    std::vector<Scope> finish(const std::vector<FuncmapEntry>& entries) {
        nul(entries.size());
        std::vector<Scope> scopes;
        for (std::size_t index = 0; index < done_.size(); ++index) {
            Scope& scope = done_[index];
            scope.end = index + 1 < done_.size() ? done_[index + 1].first : entries.size();
            if (scope.is_empty() && !scopes.empty()) continue;
            for (std::size_t at = scope.first; at < scope.end; ++at) {
                scope.has_kernel = scope.has_kernel || entries[at].kind == EntryKind::kernel;
            }
            // An id given twice in one map, or nothing but odd rows before the first entry.
            const bool is_part = !scopes.empty()
                && ((scope.is_restart && !(scopes.back().has_kernel && scope.has_kernel)) || scopes.back().is_empty());
            if (!is_part) {
                scopes.push_back(std::move(scope));
                continue;
            }
            Scope& last = scopes.back();
            last.end = scope.end;
            if (scope.encoding) last.encoding = scope.encoding;
            if (scope.wave_size) last.wave_size = scope.wave_size;
            for (const auto& [id, count] : scope.payloads) last.payloads[id] = count;
            last.has_kernel = last.has_kernel || scope.has_kernel;
        }
        return scopes;
    }

private:
    // The state of a map when the rows began that may belong to the next.
    struct Mark {
        std::size_t entries;
        std::size_t rows;
        std::optional<Row<MarkerEncoding>> encoding;
        std::optional<Row<std::uint32_t>> wave_size;
    };

    std::vector<Scope> done_;
    Scope now_;
    std::size_t rows_ = 0;
    std::set<std::uint32_t> ids_;
    std::optional<Mark> head_;  // where the M:, W: and K: rows right before the next row begin
    std::optional<Mark> tail_;  // the same, for those behind the last K:
    bool is_kernel_first_ = false;

    Mark mark(std::size_t entries) const { return {entries, rows_, now_.encoding, now_.wave_size}; }

    void begin(Scope next) {
        done_.push_back(std::move(now_));
        now_ = std::move(next);
        ids_.clear();
        head_.reset();
        tail_.reset();
        is_kernel_first_ = false;
    }

    void before_head(std::size_t entries) {
        if (!head_) head_ = mark(entries);
        if (!tail_) tail_ = mark(entries);
    }
};

// Finds ids with several meanings, and makes the maps that words of kernels are looked up in.
struct FuncmapJoiner {
    explicit FuncmapJoiner(Funcmap& map) : whole(map) {}

    void join() {
        if (whole.maps.empty()) return;
        find_meanings();
        const Funcmap& first = whole.maps.front();
        bool agree = whole.shared_ids.empty();
        for (const Funcmap& map : whole.maps) agree = agree && layout(map) == layout(first);
        if (agree) return;
        bool any_kernel = false;
        for (const Funcmap& map : whole.maps) any_kernel = any_kernel || has_kernel(map);
        if (any_kernel) {
            group_maps();
            for (const auto& [group, members] : groups_) look_up(group, members);
        } else {
            whole.lookups_ = whole.maps;
            for (Funcmap& map : whole.lookups_) map.shared_ids = whole.shared_ids;
        }
    }

private:
    Funcmap& whole;

    using Layout = std::pair<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;
    enum class GroupKind { clear, own, one_of };
    // Maps of one layout without an id of several meanings, by the first of them; one map; or one of several, which is
    // not known: a kernel is in all of them, and the linker took the code of one.
    using Group = std::pair<GroupKind, std::vector<std::size_t>>;

    struct Meaning {
        const FuncmapEntry* entry;
        MarkerEncoding encoding;
        std::optional<std::uint32_t> payload;  // of all rows with that id, where they agree
    };

    // Rows that are looked at besides a kernel's own, in all: a forged section could ask for any number.
    std::size_t left_ = std::size_t{4} << 20;
    std::map<std::uint32_t, Meaning> meanings_;
    std::map<Group, std::vector<std::size_t>> groups_;
    std::map<std::string_view, Group> group_of_;

    static bool same(const FuncmapEntry& a, const FuncmapEntry& b) {
        return a.kind == b.kind && a.name == b.name && a.extra_payload_count == b.extra_payload_count;
    }

    static bool has_kernel(const Funcmap& map) {
        for (const auto& entry : map.entries) {
            if (entry.kind == EntryKind::kernel) return true;
        }
        return false;
    }

    static std::pair<std::uint32_t, std::uint32_t> packing(const MarkerEncoding& encoding) {
        return {encoding.shader_clock_bits, encoding.shader_clock_shift};
    }

    static Layout layout(const Funcmap& map) { return {packing(map.marker_encoding), map.wave_size}; }

    void find_meanings() {
        std::string first;
        for (const Funcmap& map : whole.maps) {
            for (const auto& entry : map.entries) {
                if (entry.kind == EntryKind::kernel) continue;
                const Meaning own{&entry, map.marker_encoding, entry.extra_payload_count};
                Meaning& known = meanings_.emplace(entry.id, own).first->second;
                if (known.payload != own.payload) known.payload.reset();
                if (same(entry, *known.entry) || !whole.shared_ids.insert(entry.id).second) continue;
                if (first.empty()) {
                    first = std::to_string(entry.id) + " is \"" + known.entry->name.substr(0, 100) + "\" and \""
                        + entry.name.substr(0, 100) + '"';
                }
            }
        }
        if (whole.shared_ids.empty()) return;
        for (const std::uint32_t id : whole.shared_ids) {
            if (const auto& payload = meanings_.at(id).payload) whole.payload_without_row_[id] = *payload;
        }
        whole.diagnostics.push_back({0, "the code object holds " + std::to_string(whole.maps.size()) + " maps, and "
            + std::to_string(whole.shared_ids.size()) + " ids mean different things in them (the first: " + first
            + "). Remedy: compile with SQTT_ID_SPACE=unit, the default with -fgpu-rdc, or with SQTT_ID_SPACE=link; "
              "both give each id once"});
    }

    void group_maps() {
        std::map<Layout, std::size_t> first;
        std::map<std::string_view, std::vector<std::pair<std::size_t, Group>>> homes;
        for (std::size_t index = 0; index < whole.maps.size(); ++index) {
            const Funcmap& map = whole.maps[index];
            if (!has_kernel(map)) continue;
            bool is_clear = true;
            for (const auto& entry : map.entries) {
                is_clear = is_clear && (entry.kind == EntryKind::kernel || whole.shared_ids.count(entry.id) == 0);
            }
            const std::size_t number = is_clear ? first.emplace(layout(map), index).first->second : index;
            const Group group{is_clear ? GroupKind::clear : GroupKind::own, {number}};
            groups_[group].push_back(index);
            for (const auto& entry : map.entries) {
                if (entry.kind != EntryKind::kernel) continue;
                auto& own = homes[entry.name];
                if (own.empty() || own.back().first != index) own.emplace_back(index, group);
            }
        }
        for (const auto& [kernel, own] : homes) {
            bool is_one = true, is_like = true;
            std::vector<std::size_t> members;
            for (const auto& [index, group] : own) {
                is_one = is_one && group == own.front().second;
                const Funcmap& like = whole.maps[own.front().first];
                is_like = is_like && packing(whole.maps[index].marker_encoding) == packing(like.marker_encoding);
                members.push_back(index);
            }
            if (is_one) {
                group_of_[kernel] = own.front().second;
            } else if (is_like) {
                const Group group{GroupKind::one_of, members};
                groups_[group] = members;
                group_of_[kernel] = group;
            }
        }
    }

    // True if a row belongs to the map of a group.
    bool is_own(const FuncmapEntry& entry, const Group& group, const Funcmap& map) const {
        if (entry.kind == EntryKind::kernel) {
            const auto found = group_of_.find(entry.name);
            return found == group_of_.end() || found->second == group;
        }
        if (group.first == GroupKind::own) return true;
        if (map.knows(entry.id)) return false;
        if (group.first == GroupKind::clear) return true;
        for (const std::size_t member : group.second) {
            const FuncmapEntry* other = whole.maps[member].find(entry.id);
            if (other == nullptr || !same(*other, entry)) return false;
        }
        return true;
    }

    void look_up(const Group& group, const std::vector<std::size_t>& members) {
        if (group.first == GroupKind::one_of) {
            std::size_t cost = 0;
            for (const std::size_t member : members) cost += whole.maps[member].entries.size() * members.size();
            if (cost > left_) return;
            left_ -= cost;
        }
        Funcmap map;
        map.marker_encoding = whole.maps[members.front()].marker_encoding;
        map.wave_size = whole.maps[members.front()].wave_size;
        map.shared_ids = whole.shared_ids;
        for (const std::size_t member : members) {
            for (const auto& entry : whole.maps[member].entries) {
                if (is_own(entry, group, map)) map.push(entry);
            }
            for (const auto& [id, count] : whole.maps[member].payload_without_row_) map.payload_without_row(id, count);
        }
        if (meanings_.size() <= left_) {
            left_ -= meanings_.size();
            for (const auto& [id, meaning] : meanings_) {
                if (whole.shared_ids.count(id) != 0) {
                    if (meaning.payload) map.payload_without_row(id, *meaning.payload);
                } else if (!map.knows(id) && packing(meaning.encoding) == packing(map.marker_encoding)) {
                    // A word of another layout would not be read with this id.
                    map.push(*meaning.entry);
                }
            }
        }
        for (const auto& entry : map.entries) {
            if (entry.kind != EntryKind::kernel) continue;
            const std::optional<std::size_t> own = whole.lookups_.size();
            auto& known = whole.lookup_of_.emplace(entry.name, own).first->second;
            if (known != own) known.reset();
        }
        whole.lookups_.push_back(std::move(map));
    }
};

// Reads a funcmap row by row.
struct FuncmapReader {
    Funcmap map;

    void read(const std::vector<std::string_view>& sections) {
        std::size_t line = 0;
        for (const std::string_view section : sections) {
            scopes_.nul(map.entries.size());
            for (std::size_t start = 0; start < section.size();) {
                std::size_t end = section.find_first_of(std::string_view("\n\0", 2), start);
                if (end == std::string_view::npos) end = section.size();
                row(++line, trim(section.substr(start, end - start)));
                if (end < section.size() && section[end] == '\0') scopes_.nul(map.entries.size());
                start = end + 1;
            }
        }
        finish();
    }

private:
    struct Payload {
        std::uint32_t count;
        std::size_t line;
    };
    std::map<std::uint32_t, Payload> payloads_;
    FuncmapScopes scopes_;
    // Line and text of every entry's row.
    std::vector<std::pair<std::size_t, std::string_view>> rows_;

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
        scopes_.entry(map.entries.size(), entry);
        rows_.emplace_back(line, row);
        map.push(std::move(entry));
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
        scopes_.wave_size(map.entries.size(), *size);
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
        scopes_.encoding(map.entries.size(), layout);
    }

    void payload(std::size_t line, std::string_view row, std::string_view rest) {
        const std::size_t colon = rest.find(':');
        const auto id = colon == std::string_view::npos ? std::nullopt : decimal(rest.substr(0, colon));
        std::optional<std::uint32_t> count;
        if (!id || !attribute(rest.substr(colon + 1), "extra_payload_count", count) || !count) {
            return complain(line, "malformed R: row, expected R:id:extra_payload_count=N", row);
        }
        payloads_[*id] = {*count, line};
        scopes_.payload(*id, *count);
    }

    // Payload counts reach every entry of their id, wherever its row stands.
    void finish() {
        auto scopes = scopes_.finish(map.entries);
        for (const auto& scope : scopes) {
            std::set<std::uint32_t> seen;
            for (std::size_t index = scope.first; index < scope.end; ++index) {
                const FuncmapEntry& entry = map.entries[index];
                if (entry.kind == EntryKind::kernel || seen.insert(entry.id).second) continue;
                complain(rows_[index].first, "duplicate marker ID " + std::to_string(entry.id), rows_[index].second);
            }
        }
        if (scopes.size() > 1) {
            for (auto& scope : scopes) map.maps.push_back(scope.build(map.entries));
        }
        for (auto& entry : map.entries) {
            const auto found = payloads_.find(entry.id);
            if (entry.kind != EntryKind::kernel && found != payloads_.end()) {
                entry.extra_payload_count = found->second.count;
            }
        }
        for (const auto& [id, payload] : payloads_) {
            if (map.knows(id)) continue;
            map.payload_without_row_[id] = payload.count;
            const std::string what = "payload of marker ID " + std::to_string(id) + ", which no row names";
            map.diagnostics.push_back({payload.line, what});
        }
        FuncmapJoiner(map).join();
    }
};

inline Funcmap Funcmap::parse_all(const std::vector<std::string_view>& sections) {
    FuncmapReader reader;
    reader.read(sections);
    return std::move(reader.map);
}

}  // namespace sqtt

#endif  // SQTT_DECODER_HPP
