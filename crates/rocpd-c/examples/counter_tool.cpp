// A counter collecting tool around librocpd: the callbacks that a profiler calls, here fed from a recorded list.
//
//   counter_tool FOLDER RECORDS [db|events|csv]
//
// Lines of RECORDS: `agent HANDLE NODE_ID NAME`, `counter HANDLE NAME BLOCK`, `record DISPATCH AGENT KERNEL LDS
// COUNTER VALUE`. Prints the name of the file that it wrote.

#include <rocpd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#ifdef OWN_SQLITE_SYMBOL
// Were librocpd's SQLite visible, this would clash with it, or be called by it.
extern "C" int sqlite3_open_v2(const char *, void **, int, const char *) { std::abort(); }
#endif

namespace {

struct agent {
    uint64_t handle;
    int64_t node_id;
    std::string name;
};

struct counter {
    uint64_t handle;
    std::string name;
    std::string block;
};

struct tool_data {
    std::vector<agent> agents;
    std::vector<counter> counters;
    std::vector<rocpd_counter_record> records;
    std::mutex mutex;
};

void check(rocpd_status status, rocpd_error *error) {
    if (status == ROCPD_OK) {
        return;
    }
    std::string message = rocpd_error_message(error);
    rocpd_error_free(error);
    throw std::runtime_error(message + " (status " + std::to_string(status) + ")");
}

class counters_writer {
public:
    virtual ~counters_writer() = default;
    virtual void write_counters(const tool_data &data) = 0;
};

class rocpd_counters : public counters_writer {
public:
    rocpd_counters(std::string folder, int64_t form) : folder_(std::move(folder)), form_(form) {}

    void write_counters(const tool_data &data) override {
        rocpd_error *error = nullptr;
        rocpd_counters_options options{};
        options.folder = folder_.c_str();
        options.form = form_;
        rocpd_counters_writer *raw = nullptr;
        check(rocpd_counters_create(&options, &raw, &error), error);
        std::unique_ptr<rocpd_counters_writer, decltype(&rocpd_counters_free)> writer(raw, rocpd_counters_free);
        for (const agent &a : data.agents) {
            rocpd_agent_description description{};
            description.handle = a.handle;
            description.type = "GPU";
            description.absolute_index = a.node_id;
            description.logical_index = ROCPD_NONE;
            description.type_index = ROCPD_NONE;
            description.uuid = ROCPD_NONE;
            description.name = a.name.c_str();
            check(rocpd_counters_add_agent(writer.get(), &description, &error), error);
        }
        for (const counter &c : data.counters) {
            rocpd_counter_description description{};
            description.handle = c.handle;
            description.name = c.name.c_str();
            description.block = c.block.c_str();
            description.is_constant = 0;
            description.is_derived = ROCPD_NONE;
            check(rocpd_counters_add_counter(writer.get(), &description, &error), error);
        }
        check(rocpd_counters_write(writer.get(), data.records.data(), data.records.size(), &error), error);
        const char *path = nullptr;
        check(rocpd_counters_finish(writer.get(), &path, &error), error);
        std::cout << (path == nullptr ? "no file" : path) << "\n";
    }

private:
    std::string folder_;
    int64_t form_;
};

tool_data g_data;
std::unique_ptr<counters_writer> g_counters_writer;

// What the profiler calls: for each available agent, for each counter of a configuration, for each instance of a
// counter when a dispatch is done, and at the end.
void agent_callback(const agent &a) { g_data.agents.push_back(a); }
void counter_info_callback(const counter &c) { g_data.counters.push_back(c); }
void record_callback(const rocpd_counter_record &record) {
    std::lock_guard<std::mutex> lock(g_data.mutex);
    g_data.records.push_back(record);
}
void tool_fini() { g_counters_writer->write_counters(g_data); }

void replay(std::istream &list) {
    std::string line;
    while (std::getline(list, line)) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "agent") {
            agent a{};
            words >> a.handle >> a.node_id >> a.name;
            agent_callback(a);
        } else if (kind == "counter") {
            counter c{};
            words >> c.handle >> c.name >> c.block;
            counter_info_callback(c);
        } else if (kind == "record") {
            rocpd_counter_record r{};
            words >> r.dispatch_id >> r.agent >> r.kernel_id >> r.lds_size >> r.counter >> r.value;
            record_callback(r);
        }
        if (words.fail()) {
            throw std::runtime_error("bad line: " + line);
        }
    }
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 3) {
        std::cerr << "usage: counter_tool FOLDER RECORDS [db|events|csv]\n";
        return 2;
    }
    try {
        std::string form = argc > 3 ? argv[3] : "db";
        int64_t number = form == "csv"      ? ROCPD_COUNTERS_CSV
                         : form == "events" ? ROCPD_COUNTERS_EVENT_PER_RECORD
                                            : ROCPD_COUNTERS_DATABASE;
        g_counters_writer = std::make_unique<rocpd_counters>(argv[1], number);
        std::ifstream list(argv[2]);
        replay(list);
        tool_fini();
        return 0;
    } catch (const std::exception &error) {
        std::cerr << "counter_tool: " << error.what() << "\n";
        return 1;
    }
}
