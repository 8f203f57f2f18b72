/* Calls every function of rocpd.h, from C, with good and with bad arguments. Usage: all_calls FOLDER */
#include <rocpd.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rocpd_error *error;

#define GOOD(call)                                                                                      \
    do {                                                                                                \
        if ((call) != ROCPD_OK) {                                                                       \
            fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, rocpd_error_message(error));          \
            exit(1);                                                                                    \
        }                                                                                               \
    } while (0)

#define BAD(call, expected, text)                                                                       \
    do {                                                                                                \
        rocpd_status status = (call);                                                                   \
        if (status != (expected) || rocpd_error_status(error) != status ||                              \
            strstr(rocpd_error_message(error), text) == NULL) {                                         \
            fprintf(stderr, "line %d: %s: %d %s\n", __LINE__, #call, status, rocpd_error_message(error)); \
            exit(1);                                                                                    \
        }                                                                                               \
        rocpd_error_free(error);                                                                        \
        error = NULL;                                                                                   \
    } while (0)

static void fill(void *info, size_t size) {
    /* Every optional number unknown; texts are set or zeroed one by one afterwards. */
    int64_t *words = info;
    for (size_t i = 0; i < size / 8; i++) words[i] = ROCPD_NONE;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    char path[4096];
    snprintf(path, sizeof path, "%s/all.db", argv[1]);
    rocpd_writer *w = NULL;
    BAD(rocpd_writer_create(NULL, NULL, NULL, &w, &error), ROCPD_INVALID_ARGUMENT, "path is NULL");
    BAD(rocpd_writer_create(path, NULL, NULL, NULL, &error), ROCPD_INVALID_ARGUMENT, "writer is NULL");
    BAD(rocpd_writer_create(path, "x", NULL, &w, &error), ROCPD_INVALID_ARGUMENT, "guid");
    BAD(rocpd_writer_create(path, NULL, "4.0.0", &w, &error), ROCPD_INVALID_ARGUMENT, "schema version");
    BAD(rocpd_writer_create("/nonexistent/x.db", NULL, NULL, &w, &error), ROCPD_IO, "/nonexistent/");
    if (rocpd_register_node(NULL, NULL, NULL, NULL) != ROCPD_INVALID_ARGUMENT) return 1;
    GOOD(rocpd_writer_create(path, "01890a5d-ac96-774b-bcce-b302099a8057", NULL, &w, &error));
    if (strcmp(rocpd_writer_guid(w), "01890a5d-ac96-774b-bcce-b302099a8057") != 0) return 1;
    BAD(rocpd_register_node(w, NULL, NULL, &error), ROCPD_INVALID_ARGUMENT, "info is NULL");

    int64_t node, process, thread, agent, queue, stream, counter, object, kernel, track, event, string;
    rocpd_node n = {ROCPD_NONE, 99, "m", "Linux", "host", NULL, NULL, "x86_64", NULL};
    GOOD(rocpd_register_node(w, &n, &node, &error));
    rocpd_process p = {ROCPD_NONE, node, 42, 1, 10, 20, 5, 30, "./it's \"x\"", "{}", NULL};
    GOOD(rocpd_register_process(w, &p, &process, &error));
    p.ppid = 2;
    BAD(rocpd_register_process(w, &p, NULL, &error), ROCPD_CONFLICT, "process 42");
    rocpd_thread t = {ROCPD_NONE, process, 1, 43, "worker", ROCPD_NONE, ROCPD_NONE, NULL};
    GOOD(rocpd_register_thread(w, &t, &thread, &error));
    rocpd_agent a = {ROCPD_NONE, process, "GPU", 2, 0, 0, 77, "gfx942", NULL, NULL, NULL, NULL, NULL};
    GOOD(rocpd_register_agent(w, &a, &agent, &error));
    a.type = "TPU";
    BAD(rocpd_register_agent(w, &a, NULL, &error), ROCPD_INVALID_ARGUMENT, "CPU, GPU or NIC");
    rocpd_queue q = {0, process, "q", NULL};
    GOOD(rocpd_register_queue(w, &q, &queue, &error));
    GOOD(rocpd_register_stream(w, &q, &stream, &error));
    rocpd_counter c;
    memset(&c, 0, sizeof c);
    c.id = 5; c.process = process; c.agent = agent; c.target_arch = "GPU"; c.value_type = "ABS";
    c.event_code = c.instance_id = c.is_constant = ROCPD_NONE; c.is_derived = 1;
    BAD(rocpd_register_counter(w, &c, &counter, &error), ROCPD_INVALID_ARGUMENT, "counter.name is NULL");
    c.name = c.symbol = "SQ_WAVES";
    c.extdata = "nonsense";
    BAD(rocpd_register_counter(w, &c, &counter, &error), ROCPD_INVALID_ARGUMENT, "JSON");
    c.extdata = NULL;
    GOOD(rocpd_register_counter(w, &c, &counter, &error));
    rocpd_code_object o = {1, process, agent, "file://x", 4096, ROCPD_NONE, ROCPD_NONE, "FILE", NULL};
    GOOD(rocpd_register_code_object(w, &o, &object, &error));
    o.storage = "TAPE";
    BAD(rocpd_register_code_object(w, &o, NULL, &error), ROCPD_INVALID_ARGUMENT, "FILE or MEMORY");
    rocpd_kernel_symbol k;
    fill(&k, sizeof k);
    k.id = 12; k.process = process; k.code_object = object; k.kernel_name = "k.kd"; k.display_name = "k(int, int)";
    k.extdata = NULL; k.sgpr_count = 16; k.arch_vgpr_count = 4; k.accum_vgpr_count = 8;
    GOOD(rocpd_register_kernel_symbol(w, &k, &kernel, &error));
    rocpd_track r = {node, process, ROCPD_NONE, "track"};
    GOOD(rocpd_register_track(w, &r, &track, &error));
    GOOD(rocpd_register_string(w, "text", &string, &error));
    BAD(rocpd_register_string(w, NULL, &string, &error), ROCPD_INVALID_ARGUMENT, "text is NULL");
    rocpd_event e = {"KERNEL_DISPATCH", 6, ROCPD_NONE, 1, NULL, "[]", NULL};
    GOOD(rocpd_insert_event(w, &e, &event, &error));
    GOOD(rocpd_insert_sample(w, track, 7, event, &error));
    GOOD(rocpd_insert_counter_event(w, event, counter, 1.5, NULL, &error));
    GOOD(rocpd_insert_counter_event(w, event, counter, NAN, "{\"xcc\": 1}", &error));
    BAD(rocpd_insert_counter_event(w, event, 6, 1.5, NULL, &error), ROCPD_NOT_REGISTERED, "counter 6");
    rocpd_dispatch d = {1, process, thread, agent, kernel, queue, stream, 10, 20, ROCPD_NONE, 512,
                        {64, 2, 1}, {128, 4, 2}, "", event};
    GOOD(rocpd_insert_dispatch(w, &d, &error));
    d.end = 9;
    BAD(rocpd_insert_dispatch(w, &d, &error), ROCPD_INVALID_ARGUMENT, "end");
    rocpd_arg args[] = {{0, "int", "x", "1", NULL}, {1, "char *", "y", NULL, NULL}};
    rocpd_region g = {process, thread, 1, 2, "hipMalloc", event, args, 2};
    GOOD(rocpd_insert_region(w, &g, &error));
    g.args = NULL;
    BAD(rocpd_insert_region(w, &g, &error), ROCPD_INVALID_ARGUMENT, "region.args is NULL");
    GOOD(rocpd_writer_finish(w, &error));
    BAD(rocpd_writer_finish(w, &error), ROCPD_USELESS, "finished");
    BAD(rocpd_insert_event(w, &e, NULL, &error), ROCPD_USELESS, "finished");
    rocpd_writer_free(w);
    BAD(rocpd_writer_create(path, NULL, NULL, &w, &error), ROCPD_EXISTS, "exists");

    char other[4096];
    snprintf(other, sizeof other, "%s/other.db", argv[1]);
    GOOD(rocpd_writer_create(other, NULL, "3.0.0", &w, &error));
    GOOD(rocpd_writer_discard(w, &error));
    rocpd_writer_free(w);
    GOOD(rocpd_writer_create(other, NULL, NULL, &w, &error));
    rocpd_writer_free(w); /* reported on stderr: the caller looks for it */
    rocpd_writer_free(NULL);

    /* Counters, as CSV of a described process, imported and merged into the database above. */
    rocpd_counters_writer *cw = NULL;
    p.pid = 42; p.ppid = 1;
    rocpd_counters_options options = {argv[1], ROCPD_COUNTERS_CSV, &n, &p};
    BAD(rocpd_counters_create(NULL, &cw, &error), ROCPD_INVALID_ARGUMENT, "options is NULL");
    options.form = 9;
    BAD(rocpd_counters_create(&options, &cw, &error), ROCPD_INVALID_ARGUMENT, "options.form is 9");
    options.form = ROCPD_COUNTERS_CSV;
    GOOD(rocpd_counters_create(&options, &cw, &error));
    rocpd_agent_description ad = {1234, NULL, 2, ROCPD_NONE, ROCPD_NONE, ROCPD_NONE, "gfx942", NULL, NULL, NULL};
    GOOD(rocpd_counters_add_agent(cw, &ad, &error));
    rocpd_counter_description cd = {5, "SQ_WAVES", NULL, "SQ", NULL, 0, ROCPD_NONE};
    GOOD(rocpd_counters_add_counter(cw, &cd, &error));
    rocpd_counter_record record = {1, 1234, 12, 0, 5, 16384.0};
    GOOD(rocpd_counters_write(cw, &record, 1, &error));
    GOOD(rocpd_counters_write(cw, NULL, 0, &error));
    BAD(rocpd_counters_write(cw, NULL, 1, &error), ROCPD_INVALID_ARGUMENT, "records is NULL");
    record.counter = 6;
    BAD(rocpd_counters_write(cw, &record, 1, &error), ROCPD_NOT_REGISTERED, "counter 6");
    const char *csv = NULL;
    GOOD(rocpd_counters_finish(cw, &csv, &error));
    if (csv == NULL) return 1;
    char native[4096], out[4096];
    snprintf(native, sizeof native, "%s/native.db", argv[1]);
    snprintf(out, sizeof out, "%s/pmc_perf.csv", argv[1]);
    char *json = NULL;
    GOOD(rocpd_import_csv(csv, native, ROCPD_NONE, &json, &error));
    rocpd_text_free(json);
    rocpd_counters_free(cw);
    BAD(rocpd_merge(path, native, 0, NULL, &error), ROCPD_REFUSED, "already holds 2 counter values");
    BAD(rocpd_merge(path, "missing.db", 0, NULL, &error), ROCPD_IO, "missing.db: open: No such file");
    BAD(rocpd_merge(path, out, 0, NULL, &error), ROCPD_IO, "pmc_perf.csv");
    GOOD(rocpd_export_pmc_perf(path, NULL, 17, out, &json, &error));
    if (strstr(json, "\"rows\":1") == NULL) return 1;
    rocpd_text_free(json);
    BAD(rocpd_export_pmc_perf(path, NULL, 16, out, NULL, &error), ROCPD_INVALID_ARGUMENT, "15 or 17");
    BAD(rocpd_export_pmc_perf(path, NULL, 17, path, NULL, &error), ROCPD_REFUSED, "it is the input");
    BAD(rocpd_export_pmc_perf(path, NULL, 17, native, NULL, &error), ROCPD_REFUSED, "it is an SQLite database");
    BAD(rocpd_merge(path, out, 0, NULL, &error), ROCPD_NOT_ROCPD, "not an SQLite database");
    puts(rocpd_version());
    return 0;
}
