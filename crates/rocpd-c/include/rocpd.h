/* rocpd.h: write, merge and export ROCm profile databases (rocpd, SQLite schema 3.0.x).
 *
 * Functions return a status; where one fails and `error` is not NULL, *error is an object that says what, to be
 * freed with rocpd_error_free (on success *error is NULL). Texts are UTF-8 and end with NUL; other bytes are
 * replaced. Everything passed in is copied: it need be valid for the call only. A handle is for one thread at a
 * time, and is freed once, also after it was finished. Numbers that may be unknown take ROCPD_NONE, texts NULL;
 * both are stored as NULL. Times are nanoseconds.
 */
#ifndef ROCPD_H
#define ROCPD_H

#include <stddef.h>
#include <stdint.h>

#define ROCPD_API extern
#define ROCPD_NONE INT64_MIN

#if defined(__cplusplus)
#define ROCPD_SIZE(type, size) static_assert(sizeof(type) == (size), "rocpd.h and librocpd disagree on " #type)
extern "C" {
#else
#define ROCPD_SIZE(type, size) _Static_assert(sizeof(type) == (size), "rocpd.h and librocpd disagree on " #type)
#endif

typedef int32_t rocpd_status;
enum {
    ROCPD_OK = 0,
    ROCPD_INVALID_ARGUMENT = 1, /* a value is not allowed, or a needed pointer is NULL */
    ROCPD_NOT_REGISTERED = 2,   /* a row refers to something that was not registered */
    ROCPD_CONFLICT = 3,         /* a key is registered already, with other values */
    ROCPD_EXISTS = 4,           /* the file exists; files are not overwritten */
    ROCPD_IO = 5,               /* the system or SQLite failed */
    ROCPD_NOT_ROCPD = 6,        /* empty, not SQLite, corrupt, unfinished, or another schema */
    ROCPD_LOCKED = 7,           /* another process holds a lock */
    ROCPD_AMBIGUOUS = 8,        /* a process, dispatch or counter has several counterparts */
    ROCPD_REFUSED = 9,          /* the target has values that merging would add to */
    ROCPD_NOTHING_MATCHED = 10, /* no value finds its place: files of two runs? */
    ROCPD_FORMAT = 11,          /* a CSV file or a folder is not as expected */
    ROCPD_USELESS = 12,         /* the handle is finished, or failed before */
    ROCPD_INTERNAL = 13         /* a defect of the library; the handle is useless */
};

typedef struct rocpd_error rocpd_error;
typedef struct rocpd_writer rocpd_writer;
typedef struct rocpd_counters_writer rocpd_counters_writer;

ROCPD_API const char *rocpd_version(void);
ROCPD_API rocpd_status rocpd_error_status(const rocpd_error *error); /* ROCPD_OK for NULL */
ROCPD_API const char *rocpd_error_message(const rocpd_error *error); /* "" for NULL; valid until freed */
ROCPD_API void rocpd_error_free(rocpd_error *error);
ROCPD_API void rocpd_text_free(char *text); /* frees the JSON reports below */

/* ---- Counters: what a counter collecting tool writes ---- */

enum {
    ROCPD_COUNTERS_DATABASE = 0,           /* <pid>_native_counter_collection.db, one event per dispatch */
    ROCPD_COUNTERS_EVENT_PER_RECORD = 1,   /* the same with one event per value, as profiler-hub writes */
    ROCPD_COUNTERS_CSV = 2                 /* <pid>_native_counter_collection.csv, exact digits */
};

/* A machine. The default key is hash modulo 2^32-1. */
typedef struct rocpd_node {
    int64_t id; /* or ROCPD_NONE */
    int64_t hash;
    const char *machine_id; /* not NULL */
    const char *system_name; /* or NULL */
    const char *hostname; /* or NULL */
    const char *release; /* or NULL */
    const char *version; /* or NULL */
    const char *hardware_name; /* or NULL */
    const char *domain_name; /* or NULL */
} rocpd_node;
ROCPD_SIZE(rocpd_node, 72);

/* A process. The default key is pid. */
typedef struct rocpd_process {
    int64_t id; /* or ROCPD_NONE */
    int64_t node;
    int64_t pid;
    int64_t ppid; /* or ROCPD_NONE */
    int64_t init; /* or ROCPD_NONE */
    int64_t fini; /* or ROCPD_NONE */
    int64_t start; /* or ROCPD_NONE */
    int64_t end; /* or ROCPD_NONE */
    const char *command; /* or NULL */
    const char *environment; /* a JSON object, or NULL */
    const char *extdata; /* a JSON object, or NULL */
} rocpd_process;
ROCPD_SIZE(rocpd_process, 88);

typedef struct rocpd_counters_options {
    const char *folder; /* not NULL; the file's name comes from the process id */
    int64_t form;       /* ROCPD_COUNTERS_... */
    const rocpd_node *node;       /* NULL: this machine */
    const rocpd_process *process; /* NULL: this process; the member `node` is ignored */
} rocpd_counters_options;
ROCPD_SIZE(rocpd_counters_options, 32);

typedef struct rocpd_agent_description {
    uint64_t handle;  /* the profiler's handle, which records carry */
    const char *type; /* "CPU", "GPU" (also NULL) or "NIC" */
    int64_t absolute_index; /* the driver's node id */
    int64_t logical_index;
    int64_t type_index;
    int64_t uuid;
    const char *name; /* gfx942, say */
    const char *model_name;
    const char *vendor_name;
    const char *product_name;
} rocpd_agent_description;
ROCPD_SIZE(rocpd_agent_description, 80);

typedef struct rocpd_counter_description {
    uint64_t handle;
    const char *name; /* not NULL */
    const char *description;
    const char *block;
    const char *expression;
    int64_t is_constant; /* 0, 1 or ROCPD_NONE */
    int64_t is_derived;
} rocpd_counter_description;
ROCPD_SIZE(rocpd_counter_description, 56);

/* The value of one counter instance in one dispatch. NaN: not collected, stored as NULL. */
typedef struct rocpd_counter_record {
    uint64_t dispatch_id;
    uint64_t agent;
    uint64_t kernel_id;
    uint64_t lds_size;
    uint64_t counter;
    double value;
} rocpd_counter_record;
ROCPD_SIZE(rocpd_counter_record, 48);

ROCPD_API rocpd_status rocpd_counters_create(const rocpd_counters_options *options, rocpd_counters_writer **writer,
                                             rocpd_error **error);
ROCPD_API rocpd_status rocpd_counters_add_agent(rocpd_counters_writer *writer, const rocpd_agent_description *agent,
                                                rocpd_error **error);
ROCPD_API rocpd_status rocpd_counters_add_counter(rocpd_counters_writer *writer,
                                                  const rocpd_counter_description *counter, rocpd_error **error);
ROCPD_API rocpd_status rocpd_counters_write(rocpd_counters_writer *writer, const rocpd_counter_record *records,
                                            size_t count, rocpd_error **error);
/* Completes the file. *path (if path is not NULL) is its name until the handle is freed, or NULL where no record
 * was written and so no file. */
ROCPD_API rocpd_status rocpd_counters_finish(rocpd_counters_writer *writer, const char **path, rocpd_error **error);
/* Without finish before it, the file does not appear under its name, and a line on stderr says so. */
ROCPD_API void rocpd_counters_free(rocpd_counters_writer *writer);

/* ---- Any rows ---- */

/* A thread. The default key is tid. */
typedef struct rocpd_thread {
    int64_t id; /* or ROCPD_NONE */
    int64_t process;
    int64_t ppid; /* or ROCPD_NONE */
    int64_t tid;
    const char *name; /* or NULL */
    int64_t start; /* or ROCPD_NONE */
    int64_t end; /* or ROCPD_NONE */
    const char *extdata; /* a JSON object, or NULL */
} rocpd_thread;
ROCPD_SIZE(rocpd_thread, 64);

/* A device. The default key is absolute_index. */
typedef struct rocpd_agent {
    int64_t id; /* or ROCPD_NONE */
    int64_t process;
    const char *type; /* "CPU", "GPU", "NIC" or NULL */
    int64_t absolute_index; /* or ROCPD_NONE */
    int64_t logical_index; /* or ROCPD_NONE */
    int64_t type_index; /* or ROCPD_NONE */
    int64_t uuid; /* or ROCPD_NONE */
    const char *name; /* or NULL */
    const char *model_name; /* or NULL */
    const char *vendor_name; /* or NULL */
    const char *product_name; /* or NULL */
    const char *user_name; /* or NULL */
    const char *extdata; /* a JSON object, or NULL */
} rocpd_agent;
ROCPD_SIZE(rocpd_agent, 104);

/* A queue or a stream; the key is the handle. */
typedef struct rocpd_queue {
    int64_t id;
    int64_t process;
    const char *name; /* or NULL */
    const char *extdata; /* a JSON object, or NULL */
} rocpd_queue;
ROCPD_SIZE(rocpd_queue, 32);

/* A counter's description. */
typedef struct rocpd_counter {
    int64_t id; /* or ROCPD_NONE */
    int64_t process;
    int64_t agent; /* or ROCPD_NONE */
    const char *target_arch; /* "CPU", "GPU", "NIC" or NULL */
    int64_t event_code; /* or ROCPD_NONE */
    int64_t instance_id; /* or ROCPD_NONE */
    const char *name; /* not NULL */
    const char *symbol; /* not NULL */
    const char *description; /* or NULL */
    const char *long_description; /* or NULL */
    const char *component; /* or NULL */
    const char *units; /* or NULL */
    const char *value_type; /* "ABS", "ACCUM", "RELATIVE" or NULL */
    const char *block; /* or NULL */
    const char *expression; /* or NULL */
    int64_t is_constant; /* 0, 1 or ROCPD_NONE */
    int64_t is_derived; /* 0, 1 or ROCPD_NONE */
    const char *extdata; /* a JSON object, or NULL */
} rocpd_counter;
ROCPD_SIZE(rocpd_counter, 144);

/* A loaded code object. */
typedef struct rocpd_code_object {
    int64_t id;
    int64_t process;
    int64_t agent; /* or ROCPD_NONE */
    const char *uri; /* or NULL */
    int64_t load_base; /* or ROCPD_NONE */
    int64_t load_size; /* or ROCPD_NONE */
    int64_t load_delta; /* or ROCPD_NONE */
    const char *storage; /* "FILE", "MEMORY" or NULL */
    const char *extdata; /* a JSON object, or NULL */
} rocpd_code_object;
ROCPD_SIZE(rocpd_code_object, 72);

/* A kernel. Sizes in bytes, counts in registers. */
typedef struct rocpd_kernel_symbol {
    int64_t id;
    int64_t process;
    int64_t code_object;
    const char *kernel_name; /* or NULL */
    const char *display_name; /* or NULL */
    int64_t kernel_object; /* or ROCPD_NONE */
    int64_t kernarg_segment_size; /* or ROCPD_NONE */
    int64_t kernarg_segment_alignment; /* or ROCPD_NONE */
    int64_t group_segment_size; /* or ROCPD_NONE */
    int64_t private_segment_size; /* or ROCPD_NONE */
    int64_t sgpr_count; /* or ROCPD_NONE */
    int64_t arch_vgpr_count; /* or ROCPD_NONE */
    int64_t accum_vgpr_count; /* or ROCPD_NONE */
    const char *extdata; /* a JSON object, or NULL */
} rocpd_kernel_symbol;
ROCPD_SIZE(rocpd_kernel_symbol, 112);

/* Where samples go. */
typedef struct rocpd_track {
    int64_t node;
    int64_t process; /* or ROCPD_NONE */
    int64_t thread; /* or ROCPD_NONE */
    const char *name; /* or NULL */
} rocpd_track;
ROCPD_SIZE(rocpd_track, 32);

/* What several rows can hang on. */
typedef struct rocpd_event {
    const char *category;
    int64_t stack_id;
    int64_t parent_stack_id;
    int64_t correlation_id; /* in counter files the dispatch id */
    const char *call_stack; /* JSON */
    const char *line_info;  /* JSON */
    const char *extdata;    /* a JSON object */
} rocpd_event;
ROCPD_SIZE(rocpd_event, 56);

typedef struct rocpd_dispatch {
    int64_t dispatch_id; /* from 1 */
    int64_t process;
    int64_t thread; /* or ROCPD_NONE */
    int64_t agent;
    int64_t kernel;
    int64_t queue;
    int64_t stream;
    int64_t start;
    int64_t end;
    int64_t private_segment_size; /* or ROCPD_NONE */
    int64_t group_segment_size;   /* or ROCPD_NONE */
    int64_t workgroup_size[3];    /* work-items */
    int64_t grid_size[3];         /* work-items */
    const char *region_name;      /* "" where there is none: the view `kernels` needs a name */
    int64_t event;                /* or ROCPD_NONE */
} rocpd_dispatch;
ROCPD_SIZE(rocpd_dispatch, 152);

typedef struct rocpd_arg {
    int64_t position;
    const char *type;
    const char *name;
    const char *value;
    const char *extdata;
} rocpd_arg;
ROCPD_SIZE(rocpd_arg, 40);

typedef struct rocpd_region {
    int64_t process;
    int64_t thread;
    int64_t start;
    int64_t end;
    const char *name;
    int64_t event; /* or ROCPD_NONE; arguments need one */
    const rocpd_arg *args;
    size_t arg_count;
} rocpd_region;
ROCPD_SIZE(rocpd_region, 64);

/* guid: a dashed UUID, or NULL for a fresh one. version: "3.0.0", "3.0.1", or NULL for the newest. */
ROCPD_API rocpd_status rocpd_writer_create(const char *path, const char *guid, const char *version,
                                           rocpd_writer **writer, rocpd_error **error);
ROCPD_API const char *rocpd_writer_guid(const rocpd_writer *writer);
/* Until this, the file is not there under its name. */
ROCPD_API rocpd_status rocpd_writer_finish(rocpd_writer *writer, rocpd_error **error);
ROCPD_API rocpd_status rocpd_writer_discard(rocpd_writer *writer, rocpd_error **error);
ROCPD_API void rocpd_writer_free(rocpd_writer *writer);

/* Register calls store the key in *id, unless id is NULL. The same row again is the same key. */
ROCPD_API rocpd_status rocpd_register_node(rocpd_writer *writer, const rocpd_node *info, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_register_process(rocpd_writer *writer, const rocpd_process *info, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_register_thread(rocpd_writer *writer, const rocpd_thread *info, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_register_agent(rocpd_writer *writer, const rocpd_agent *info, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_register_queue(rocpd_writer *writer, const rocpd_queue *info, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_register_stream(rocpd_writer *writer, const rocpd_queue *info, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_register_counter(rocpd_writer *writer, const rocpd_counter *info, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_register_code_object(rocpd_writer *writer, const rocpd_code_object *info, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_register_kernel_symbol(rocpd_writer *writer, const rocpd_kernel_symbol *info, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_register_track(rocpd_writer *writer, const rocpd_track *info, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_register_string(rocpd_writer *writer, const char *text, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_insert_event(rocpd_writer *writer, const rocpd_event *info, int64_t *id,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_insert_sample(rocpd_writer *writer, int64_t track, int64_t timestamp, int64_t event,
    rocpd_error **error);
ROCPD_API rocpd_status rocpd_insert_counter_event(rocpd_writer *writer, int64_t event, int64_t counter, double value,
    const char *extdata, rocpd_error **error);
ROCPD_API rocpd_status rocpd_insert_dispatch(rocpd_writer *writer, const rocpd_dispatch *info, rocpd_error **error);
ROCPD_API rocpd_status rocpd_insert_region(rocpd_writer *writer, const rocpd_region *info, rocpd_error **error);

/* ---- Whole files; *json (if json is not NULL) is a report, to be freed with rocpd_text_free ---- */

/* Merges counter values into the profiler's database, in one transaction. */
ROCPD_API rocpd_status rocpd_merge(const char *sdk, const char *native, int32_t replace, char **json,
                                   rocpd_error **error);
/* Writes pmc_perf.csv with 15 or 17 columns, from a database or a run's folder; `native` (or NULL) is merged while
 * reading, and no database is changed: `csv` may be neither the input nor another database. */
ROCPD_API rocpd_status rocpd_export_pmc_perf(const char *input, const char *native, int32_t columns, const char *csv,
                                             char **json, rocpd_error **error);
/* Makes a database of a counter tool's CSV file; pid ROCPD_NONE: from the file's name. */
ROCPD_API rocpd_status rocpd_import_csv(const char *csv, const char *database, int64_t pid, char **json,
                                        rocpd_error **error);

#ifdef __cplusplus
}
#endif

#endif
