# Makes a static library of one object whose only global symbols are the functions that rocpd.h declares: SQLite
# and Rust's library in it cannot meet another SQLite or another Rust library of the program it is linked into.
file(STRINGS "${HEADER}" lines REGEX "^ROCPD_API ")
set(exports "")
set(roots "")
foreach(line IN LISTS lines)
  if(line MATCHES "(rocpd_[a-z_]+)\\(")
    string(APPEND exports "${CMAKE_MATCH_1}\n")
    list(APPEND roots -u "${CMAKE_MATCH_1}")
  endif()
endforeach()
get_filename_component(folder "${OUTPUT}" DIRECTORY)
file(WRITE "${folder}/exports.txt" "${exports}")
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGV}")
  endif()
endfunction()
# -u pulls in what the functions need, and nothing else; groups are allocated so that none is merged away later.
run("${LINKER}" -r --force-group-allocation ${roots} -o "${folder}/rocpd.o" "${INPUT}")
# The bitcode beside the code of Rust's library is of no use here, and makes linkers' LTO plugins fail.
run("${OBJCOPY}" "--keep-global-symbols=${folder}/exports.txt" --remove-section=.llvmbc --remove-section=.llvmcmd
  "${folder}/rocpd.o")
file(REMOVE "${OUTPUT}")
run("${ARCHIVER}" crs "${OUTPUT}" "${folder}/rocpd.o")
