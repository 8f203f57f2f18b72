-- Data views of schema 3.0.x. They read the base-name views only. Every join is on (id, guid): in a
-- consolidated database the base-name views hold the rows of several processes, whose ids overlap.

CREATE VIEW IF NOT EXISTS processes AS
SELECT P.nid AS nid, N.machine_id AS machine_id, N.system_name AS system_name, N.hostname AS hostname,
       N.release AS system_release, N.version AS system_version, P.guid AS guid, P.ppid AS ppid, P.pid AS pid,
       P.init AS init, P.start AS start, P."end" AS "end", P.fini AS fini, P.command AS command
FROM rocpd_info_process P
JOIN rocpd_info_node N ON N.id = P.nid AND N.guid = P.guid;

CREATE VIEW IF NOT EXISTS threads AS
SELECT T.nid AS nid, N.machine_id AS machine_id, N.system_name AS system_name, N.hostname AS hostname,
       N.release AS system_release, N.version AS system_version, T.guid AS guid, T.ppid AS ppid, P.pid AS pid,
       T.tid AS tid, T.start AS start, T."end" AS "end", T.name AS name
FROM rocpd_info_thread T
JOIN rocpd_info_node N ON N.id = T.nid AND N.guid = T.guid
JOIN rocpd_info_process P ON P.id = T.pid AND P.guid = T.guid;

CREATE VIEW IF NOT EXISTS code_objects AS
SELECT C.id AS id, C.guid AS guid, C.nid AS nid, P.pid AS pid, A.absolute_index AS agent_abs_index,
       C.uri AS uri, C.load_base AS load_base, C.load_size AS load_size, C.load_delta AS load_delta,
       C.storage_type AS storage_type_str, json_extract(C.extdata, '$.size') AS code_object_size,
       json_extract(C.extdata, '$.storage_type') AS storage_type,
       json_extract(C.extdata, '$.memory_base') AS memory_base,
       json_extract(C.extdata, '$.memory_size') AS memory_size
FROM rocpd_info_code_object C
JOIN rocpd_info_process P ON P.id = C.pid AND P.guid = C.guid
LEFT JOIN rocpd_info_agent A ON A.id = C.agent_id AND A.guid = C.guid;

CREATE VIEW IF NOT EXISTS kernel_symbols AS
SELECT S.id AS id, S.guid AS guid, S.nid AS nid, P.pid AS pid, S.code_object_id AS code_object_id,
       S.kernel_name AS kernel_name, S.display_name AS display_name, S.kernel_object AS kernel_object,
       S.kernarg_segment_size AS kernarg_segment_size,
       S.kernarg_segment_alignment AS kernarg_segment_alignment,
       S.group_segment_size AS group_segment_size, S.private_segment_size AS private_segment_size,
       S.sgpr_count AS sgpr_count, S.arch_vgpr_count AS arch_vgpr_count,
       S.accum_vgpr_count AS accum_vgpr_count, json_extract(S.extdata, '$.size') AS kernel_symbol_size,
       json_extract(S.extdata, '$.kernel_id') AS kernel_id,
       json_extract(S.extdata, '$.kernel_code_entry_byte_offset') AS kernel_code_entry_byte_offset,
       json_extract(S.extdata, '$.formatted_kernel_name') AS formatted_kernel_name,
       json_extract(S.extdata, '$.demangled_kernel_name') AS demangled_kernel_name,
       json_extract(S.extdata, '$.truncated_kernel_name') AS truncated_kernel_name,
       json_extract(S.extdata, '$.kernel_address.handle') AS kernel_address
FROM rocpd_info_kernel_symbol S
JOIN rocpd_info_process P ON P.id = S.pid AND P.guid = S.guid;

CREATE VIEW IF NOT EXISTS regions AS
SELECT R.id AS id, R.guid AS guid,
       (SELECT C.string FROM rocpd_string C WHERE C.id = E.category_id AND C.guid = E.guid) AS category,
       S.string AS name, R.nid AS nid, P.pid AS pid, T.tid AS tid, R.start AS start, R."end" AS "end",
       (R."end" - R.start) AS duration, R.event_id AS event_id, E.stack_id AS stack_id,
       E.parent_stack_id AS parent_stack_id, E.correlation_id AS corr_id, E.extdata AS extdata,
       E.call_stack AS call_stack, E.line_info AS line_info
FROM rocpd_region R
JOIN rocpd_event E ON E.id = R.event_id AND E.guid = R.guid
JOIN rocpd_string S ON S.id = R.name_id AND S.guid = R.guid
JOIN rocpd_info_process P ON P.id = R.pid AND P.guid = R.guid
JOIN rocpd_info_thread T ON T.id = R.tid AND T.guid = R.guid;

CREATE VIEW IF NOT EXISTS region_args AS
SELECT R.id AS id, R.guid AS guid, R.nid AS nid, P.pid AS pid, A.type AS type, A.name AS name,
       A.value AS value
FROM rocpd_region R
JOIN rocpd_event E ON E.id = R.event_id AND E.guid = R.guid
JOIN rocpd_arg A ON A.event_id = E.id AND A.guid = E.guid
JOIN rocpd_info_process P ON P.id = R.pid AND P.guid = R.guid;

CREATE VIEW IF NOT EXISTS samples AS
SELECT M.id AS id, M.guid AS guid,
       (SELECT C.string FROM rocpd_string C WHERE C.id = E.category_id AND C.guid = E.guid) AS category,
       (SELECT S.string FROM rocpd_string S WHERE S.id = K.name_id AND S.guid = K.guid) AS name,
       K.nid AS nid, P.pid AS pid, T.tid AS tid, M.timestamp AS timestamp, M.event_id AS event_id,
       E.stack_id AS stack_id, E.parent_stack_id AS parent_stack_id, E.correlation_id AS corr_id,
       E.extdata AS extdata, E.call_stack AS call_stack, E.line_info AS line_info
FROM rocpd_sample M
JOIN rocpd_track K ON K.id = M.track_id AND K.guid = M.guid
JOIN rocpd_event E ON E.id = M.event_id AND E.guid = M.guid
JOIN rocpd_info_process P ON P.id = K.pid AND P.guid = K.guid
LEFT JOIN rocpd_info_thread T ON T.id = K.tid AND T.guid = K.guid;

CREATE VIEW IF NOT EXISTS sample_regions AS
SELECT id, guid, category, name, nid, pid, tid, timestamp AS start, timestamp AS "end", 0 AS duration,
       event_id, stack_id, parent_stack_id, corr_id, extdata, call_stack, line_info
FROM samples;

CREATE VIEW IF NOT EXISTS regions_and_samples AS
SELECT id, guid, category, name, nid, pid, tid, start, "end", duration, event_id, stack_id, parent_stack_id,
       corr_id, extdata, call_stack, line_info
FROM regions
UNION ALL
SELECT id, guid, category, name, nid, pid, tid, start, "end", duration, event_id, stack_id, parent_stack_id,
       corr_id, extdata, call_stack, line_info
FROM sample_regions;

CREATE VIEW IF NOT EXISTS kernels AS
SELECT K.id AS id, K.guid AS guid, T.tid AS tid,
       (SELECT C.string FROM rocpd_string C WHERE C.id = E.category_id AND C.guid = E.guid) AS category,
       R.string AS region, S.display_name AS name, K.nid AS nid, P.pid AS pid,
       A.absolute_index AS agent_abs_index, A.logical_index AS agent_log_index,
       A.type_index AS agent_type_index, A.type AS agent_type, S.code_object_id AS code_object_id,
       K.kernel_id AS kernel_id, K.dispatch_id AS dispatch_id, K.stream_id AS stream_id,
       K.queue_id AS queue_id, Q.name AS queue, ST.name AS stream, K.start AS start, K."end" AS "end",
       (K."end" - K.start) AS duration, K.grid_size_x AS grid_x, K.grid_size_y AS grid_y,
       K.grid_size_z AS grid_z, K.workgroup_size_x AS workgroup_x, K.workgroup_size_y AS workgroup_y,
       K.workgroup_size_z AS workgroup_z, K.group_segment_size AS lds_size,
       K.private_segment_size AS scratch_size, S.arch_vgpr_count AS vgpr_count,
       S.accum_vgpr_count AS accum_vgpr_count, S.sgpr_count AS sgpr_count,
       S.group_segment_size AS static_lds_size, S.private_segment_size AS static_scratch_size,
       E.stack_id AS stack_id, E.parent_stack_id AS parent_stack_id, E.correlation_id AS corr_id
FROM rocpd_kernel_dispatch K
JOIN rocpd_info_agent A ON A.id = K.agent_id AND A.guid = K.guid
JOIN rocpd_event E ON E.id = K.event_id AND E.guid = K.guid
JOIN rocpd_string R ON R.id = K.region_name_id AND R.guid = K.guid
JOIN rocpd_info_kernel_symbol S ON S.id = K.kernel_id AND S.guid = K.guid
LEFT JOIN rocpd_info_stream ST ON ST.id = K.stream_id AND ST.guid = K.guid
JOIN rocpd_info_queue Q ON Q.id = K.queue_id AND Q.guid = K.guid
JOIN rocpd_info_process P ON P.id = Q.pid AND P.guid = Q.guid
JOIN rocpd_info_thread T ON T.id = K.tid AND T.guid = K.guid;

CREATE VIEW IF NOT EXISTS memory_copies AS
SELECT M.id AS id, M.guid AS guid,
       (SELECT C.string FROM rocpd_string C WHERE C.id = E.category_id AND C.guid = E.guid) AS category,
       M.nid AS nid, P.pid AS pid, T.tid AS tid, M.start AS start, M."end" AS "end",
       (M."end" - M.start) AS duration, S.string AS name, R.string AS region_name, M.stream_id AS stream_id,
       M.queue_id AS queue_id, ST.name AS stream_name, Q.name AS queue_name, M.size AS size,
       DA.name AS dst_device, DA.absolute_index AS dst_agent_abs_index,
       DA.logical_index AS dst_agent_log_index, DA.type_index AS dst_agent_type_index,
       DA.type AS dst_agent_type, M.dst_address AS dst_address, SA.name AS src_device,
       SA.absolute_index AS src_agent_abs_index, SA.logical_index AS src_agent_log_index,
       SA.type_index AS src_agent_type_index, SA.type AS src_agent_type, M.src_address AS src_address,
       E.stack_id AS stack_id, E.parent_stack_id AS parent_stack_id, E.correlation_id AS corr_id
FROM rocpd_memory_copy M
JOIN rocpd_string S ON S.id = M.name_id AND S.guid = M.guid
JOIN rocpd_event E ON E.id = M.event_id AND E.guid = M.guid
JOIN rocpd_info_process P ON P.id = M.pid AND P.guid = M.guid
LEFT JOIN rocpd_string R ON R.id = M.region_name_id AND R.guid = M.guid
LEFT JOIN rocpd_info_agent DA ON DA.id = M.dst_agent_id AND DA.guid = M.guid
LEFT JOIN rocpd_info_agent SA ON SA.id = M.src_agent_id AND SA.guid = M.guid
LEFT JOIN rocpd_info_queue Q ON Q.id = M.queue_id AND Q.guid = M.guid
LEFT JOIN rocpd_info_stream ST ON ST.id = M.stream_id AND ST.guid = M.guid
LEFT JOIN rocpd_info_thread T ON T.id = M.tid AND T.guid = M.guid;

CREATE VIEW IF NOT EXISTS memory_allocations AS
SELECT M.id AS id, M.guid AS guid,
       (SELECT C.string FROM rocpd_string C WHERE C.id = E.category_id AND C.guid = E.guid) AS category,
       M.nid AS nid, P.pid AS pid, T.tid AS tid, M.start AS start, M."end" AS "end",
       (M."end" - M.start) AS duration, M.type AS type, M.level AS level, A.name AS agent_name,
       A.absolute_index AS agent_abs_index, A.logical_index AS agent_log_index,
       A.type_index AS agent_type_index, A.type AS agent_type, M.address AS address, M.size AS size,
       M.queue_id AS queue_id, Q.name AS queue_name, M.stream_id AS stream_id, ST.name AS stream_name,
       E.stack_id AS stack_id, E.parent_stack_id AS parent_stack_id, E.correlation_id AS corr_id
FROM rocpd_memory_allocate M
JOIN rocpd_event E ON E.id = M.event_id AND E.guid = M.guid
JOIN rocpd_info_process P ON P.id = M.pid AND P.guid = M.guid
LEFT JOIN rocpd_info_agent A ON A.id = M.agent_id AND A.guid = M.guid
LEFT JOIN rocpd_info_queue Q ON Q.id = M.queue_id AND Q.guid = M.guid
LEFT JOIN rocpd_info_stream ST ON ST.id = M.stream_id AND ST.guid = M.guid
LEFT JOIN rocpd_info_thread T ON T.id = M.tid AND T.guid = M.guid;

CREATE VIEW IF NOT EXISTS scratch_memory AS
SELECT M.id AS id, M.guid AS guid, M.type AS operation, A.name AS agent_name,
       A.absolute_index AS agent_abs_index, A.logical_index AS agent_log_index,
       A.type_index AS agent_type_index, A.type AS agent_type, M.queue_id AS queue_id, P.pid AS pid,
       T.tid AS tid, json_extract(M.extdata, '$.flags') AS alloc_flags, M.start AS start, M."end" AS "end",
       (M."end" - M.start) AS duration, M.size AS size, M.address AS address, M.nid AS nid,
       (SELECT C.string FROM rocpd_string C WHERE C.id = E.category_id AND C.guid = E.guid) AS category,
       E.correlation_id AS correlation_id, E.stack_id AS stack_id, E.parent_stack_id AS parent_stack_id,
       E.extdata AS extdata
FROM rocpd_memory_allocate M
JOIN rocpd_event E ON E.id = M.event_id AND E.guid = M.guid
JOIN rocpd_info_process P ON P.id = M.pid AND P.guid = M.guid
LEFT JOIN rocpd_info_agent A ON A.id = M.agent_id AND A.guid = M.guid
LEFT JOIN rocpd_info_thread T ON T.id = M.tid AND T.guid = M.guid
WHERE M.level = 'SCRATCH';

CREATE VIEW IF NOT EXISTS pmc_info AS
SELECT I.id AS id, I.guid AS guid, I.nid AS nid, P.pid AS pid, A.absolute_index AS agent_abs_index,
       I.is_constant AS is_constant, I.is_derived AS is_derived, I.name AS name,
       I.description AS description, I.block AS block, I.expression AS expression
FROM rocpd_info_pmc I
JOIN rocpd_info_process P ON P.id = I.pid AND P.guid = I.guid
LEFT JOIN rocpd_info_agent A ON A.id = I.agent_id AND A.guid = I.guid;

CREATE VIEW IF NOT EXISTS pmc_events AS
SELECT V.id AS id, V.guid AS guid, V.pmc_id AS pmc_id, E.id AS event_id,
       (SELECT C.string FROM rocpd_string C WHERE C.id = E.category_id AND C.guid = E.guid) AS category,
       (SELECT S.display_name FROM rocpd_info_kernel_symbol S
        WHERE S.id = K.kernel_id AND S.guid = K.guid) AS name,
       K.nid AS nid, K.dispatch_id AS dispatch_id, K.start AS start, K."end" AS "end",
       (K."end" - K.start) AS duration, I.name AS counter_name, V.value AS counter_value, P.pid AS pid,
       E.extdata AS extdata
FROM rocpd_pmc_event V
JOIN rocpd_info_pmc I ON I.id = V.pmc_id AND I.guid = V.guid
JOIN rocpd_event E ON E.id = V.event_id AND E.guid = V.guid
JOIN rocpd_kernel_dispatch K ON K.event_id = V.event_id AND K.guid = V.guid
JOIN rocpd_info_process P ON P.id = K.pid AND P.guid = K.guid;

CREATE VIEW IF NOT EXISTS events_args AS
SELECT E.id AS event_id, E.guid AS guid,
       (SELECT C.string FROM rocpd_string C WHERE C.id = E.category_id AND C.guid = E.guid) AS category,
       E.stack_id AS stack_id, E.parent_stack_id AS parent_stack_id, E.correlation_id AS correlation_id,
       A.position AS position, A.type AS type, A.name AS name, A.value AS value,
       E.call_stack AS call_stack, E.line_info AS line_info, A.extdata AS extdata
FROM rocpd_event E
JOIN rocpd_arg A ON A.event_id = E.id AND A.guid = E.guid;

CREATE VIEW IF NOT EXISTS stream_args AS
SELECT A.id AS argument_id, A.guid AS guid, A.event_id AS event_id, A.position AS position,
       A.type AS type, A.value AS value, json_extract(A.extdata, '$.stream_id') AS stream_id,
       S.nid AS nid, P.pid AS pid, S.name AS stream_name, A.extdata AS extdata
FROM rocpd_arg A
JOIN rocpd_info_stream S ON S.id = json_extract(A.extdata, '$.stream_id') AND S.guid = A.guid
JOIN rocpd_info_process P ON P.id = S.pid AND P.guid = S.guid
WHERE A.name = 'stream';

CREATE VIEW IF NOT EXISTS counters_collection AS
SELECT MIN(V.id) AS id, V.guid AS guid, K.dispatch_id AS dispatch_id, K.kernel_id AS kernel_id,
       E.id AS event_id, E.correlation_id AS correlation_id, E.stack_id AS stack_id,
       E.parent_stack_id AS parent_stack_id, P.pid AS pid, T.tid AS tid, K.agent_id AS agent_id,
       A.absolute_index AS agent_abs_index, A.logical_index AS agent_log_index,
       A.type_index AS agent_type_index, A.type AS agent_type, K.queue_id AS queue_id,
       K.grid_size_x AS grid_size_x, K.grid_size_y AS grid_size_y, K.grid_size_z AS grid_size_z,
       (K.grid_size_x * K.grid_size_y * K.grid_size_z) AS grid_size, S.display_name AS kernel_name,
       (SELECT R.string FROM rocpd_string R WHERE R.id = K.region_name_id AND R.guid = K.guid)
           AS kernel_region,
       K.workgroup_size_x AS workgroup_size_x, K.workgroup_size_y AS workgroup_size_y,
       K.workgroup_size_z AS workgroup_size_z,
       (K.workgroup_size_x * K.workgroup_size_y * K.workgroup_size_z) AS workgroup_size,
       K.group_segment_size AS lds_block_size, K.private_segment_size AS scratch_size,
       S.arch_vgpr_count AS vgpr_count, S.accum_vgpr_count AS accum_vgpr_count, S.sgpr_count AS sgpr_count,
       I.name AS counter_name, I.symbol AS counter_symbol, I.component AS component,
       I.description AS description, I.block AS block, I.expression AS expression,
       I.value_type AS value_type, I.id AS counter_id, SUM(V.value) AS value, K.start AS start,
       K."end" AS "end", I.is_constant AS is_constant, I.is_derived AS is_derived,
       (K."end" - K.start) AS duration,
       (SELECT C.string FROM rocpd_string C WHERE C.id = E.category_id AND C.guid = E.guid) AS category,
       K.nid AS nid, E.extdata AS extdata, S.code_object_id AS code_object_id
FROM rocpd_pmc_event V
JOIN rocpd_info_pmc I ON I.id = V.pmc_id AND I.guid = V.guid
JOIN rocpd_event E ON E.id = V.event_id AND E.guid = V.guid
JOIN rocpd_kernel_dispatch K ON K.event_id = V.event_id AND K.guid = V.guid
JOIN rocpd_info_agent A ON A.id = K.agent_id AND A.guid = K.guid
JOIN rocpd_info_kernel_symbol S ON S.id = K.kernel_id AND S.guid = K.guid
JOIN rocpd_info_process P ON P.id = K.pid AND P.guid = K.guid
JOIN rocpd_info_thread T ON T.id = K.tid AND T.guid = K.guid
GROUP BY V.guid, K.dispatch_id, I.name, K.agent_id;

CREATE VIEW IF NOT EXISTS top_kernels AS
SELECT S.display_name AS name, COUNT(*) AS total_calls, SUM(K."end" - K.start) / 1000.0 AS total_duration,
       AVG(K."end" - K.start) / 1000.0 AS average,
       SUM(K."end" - K.start) * 100.0 / (SELECT SUM(D."end" - D.start) FROM rocpd_kernel_dispatch D)
           AS percentage
FROM rocpd_kernel_dispatch K
JOIN rocpd_info_kernel_symbol S ON S.id = K.kernel_id AND S.guid = K.guid
GROUP BY S.display_name
ORDER BY total_duration DESC;

CREATE VIEW IF NOT EXISTS busy AS
SELECT A.id AS agent_id, A.guid AS guid, A.type AS type, SUM(D.duration) AS GpuTime,
       (SELECT MAX(K."end") - MIN(K.start) FROM rocpd_kernel_dispatch K) AS WallTime,
       SUM(D.duration) * 1.0 / (SELECT MAX(K."end") - MIN(K.start) FROM rocpd_kernel_dispatch K) AS Busy
FROM rocpd_info_agent A
JOIN (SELECT guid, agent_id, ("end" - start) AS duration FROM rocpd_kernel_dispatch
      UNION ALL
      SELECT guid, dst_agent_id, ("end" - start) FROM rocpd_memory_copy) D
  ON D.agent_id = A.id AND D.guid = A.guid
WHERE A.type = 'GPU'
GROUP BY A.guid, A.id;

CREATE VIEW IF NOT EXISTS top AS
SELECT name, COUNT(*) AS total_calls, SUM(duration) / 1000.0 AS total_duration,
       AVG(duration) / 1000.0 AS average,
       SUM(duration) * 100.0 / (SELECT SUM("end" - start)
           FROM (SELECT start, "end" FROM rocpd_kernel_dispatch
                 UNION ALL SELECT start, "end" FROM rocpd_memory_copy
                 UNION ALL SELECT start, "end" FROM rocpd_region)) AS percentage
FROM (SELECT S.display_name AS name, (K."end" - K.start) AS duration
      FROM rocpd_kernel_dispatch K
      JOIN rocpd_info_kernel_symbol S ON S.id = K.kernel_id AND S.guid = K.guid
      UNION ALL
      SELECT N.string, (M."end" - M.start) FROM rocpd_memory_copy M
      JOIN rocpd_string N ON N.id = M.name_id AND N.guid = M.guid
      UNION ALL
      SELECT N.string, (R."end" - R.start) FROM rocpd_region R
      JOIN rocpd_string N ON N.id = R.name_id AND N.guid = R.guid)
GROUP BY name
ORDER BY total_duration DESC;
