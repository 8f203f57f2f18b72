# sqtt_instrument(TARGET [LANGUAGES LANGUAGE…] [SETTINGS NAME=VALUE…])
#
# Compiles the device code of a target with markers and the plugin. LANGUAGES are HIP where the project has enabled that
# language, else CXX, whose compiler is hipcc or clang then. SETTINGS are the plugin's; those of the variable
# SQTT_SETTINGS win. The environment's SQTT_ variables do not count: a build that followed them would not notice a change.
#
# The plugin takes its settings from a file that an environment variable names, and CMake gives a compile an environment by
# its launcher alone. The plugin is loaded by a link in a folder whose name is a hash of plugin and settings. So that the
# command line is another one when either changes: build tools compile anew, and compiler caches look for another result.

function(sqtt_instrument target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "LANGUAGES;SETTINGS")
  if(DEFINED ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sqtt_instrument(${target}): not understood: ${ARG_UNPARSED_ARGUMENTS}\n"
                        "usage: sqtt_instrument(TARGET [LANGUAGES LANGUAGE…] [SETTINGS NAME=VALUE…])")
  endif()
  _sqtt_check_target("${target}")
  if(NOT ARG_LANGUAGES)
    get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
    if("HIP" IN_LIST enabled)
      set(ARG_LANGUAGES HIP)
    else()
      set(ARG_LANGUAGES CXX)
    endif()
  endif()
  foreach(language IN LISTS ARG_LANGUAGES)
    _sqtt_check_compiler("${target}" "${language}")
  endforeach()

  _sqtt_merge_settings("${target}" settings ${ARG_SETTINGS} ${SQTT_SETTINGS})
  _sqtt_write_settings("${settings}" folder)
  string(REPLACE ";" "," of_languages "${ARG_LANGUAGES}")
  set(plugin "${folder}/libsqttinstrumentpass.so")
  target_include_directories("${target}" PRIVATE "${SQTT_INCLUDE_DIR}")
  target_compile_definitions("${target}" PRIVATE "$<$<COMPILE_LANGUAGE:${of_languages}>:SQTT_ENABLED=1>")
  target_compile_options("${target}" PRIVATE "$<$<COMPILE_LANGUAGE:${of_languages}>:-fpass-plugin=${plugin}>")

  set(environment "${CMAKE_COMMAND}" -E env)
  foreach(name IN LISTS SQTT_KNOWN_SETTINGS)
    list(APPEND environment "--unset=${name}")
  endforeach()
  list(APPEND environment "SQTT_CONFIG=${folder}/settings.toml")
  set(launched)
  set(launchers COMPILER)
  # Ids that are unique in a whole program are given at its link.
  set(id_space "${settings}")
  list(FILTER id_space INCLUDE REGEX "^SQTT_ID_SPACE=[ ]*[Ll][Ii][Nn][Kk][ ]*$")
  if(id_space)
    list(APPEND launchers LINKER)
    target_link_options("${target}" PRIVATE "SHELL:-Xoffload-linker \"--load-pass-plugin=${plugin}\"")
  endif()
  foreach(language IN LISTS ARG_LANGUAGES)
    foreach(launcher IN LISTS launchers)
      # A launcher that is there, such as a compiler cache, runs in this environment.
      get_target_property(own "${target}" ${language}_${launcher}_LAUNCHER)
      if(NOT own)
        set(own "")
      endif()
      set_property(TARGET "${target}" PROPERTY ${language}_${launcher}_LAUNCHER ${environment} ${own})
      list(APPEND launched ${language}_${launcher}_LAUNCHER)
    endforeach()
  endforeach()
  set_property(TARGET "${target}" PROPERTY SQTT_INSTRUMENTED TRUE)
  # The arguments of a deferred call are evaluated late.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL _sqtt_check_launchers [[${target}]] [[${folder}]] [[${launched}]])")
endfunction()

# Stops where a launcher was replaced afterwards: the plugin would take defaults for the settings.
function(_sqtt_check_launchers target folder properties)
  foreach(property IN LISTS properties)
    get_target_property(launcher "${target}" ${property})
    if(NOT "SQTT_CONFIG=${folder}/settings.toml" IN_LIST launcher)
      message(FATAL_ERROR "sqtt_instrument(${target}): ${property} of the target was set after this call, and the plugin "
                          "gets its settings by it: set it before, or CMAKE_${property}")
    endif()
  endforeach()
endfunction()

function(_sqtt_check_target target)
  if(NOT CMAKE_GENERATOR MATCHES "Makefiles|Ninja")
    message(FATAL_ERROR "sqtt_instrument(${target}): the generator is ${CMAKE_GENERATOR}: only those of Makefiles and "
                        "Ninja start compilers by a launcher, which gives the plugin its settings")
  endif()
  if(NOT SQTT_PLUGIN)
    message(FATAL_ERROR "sqtt_instrument(${target}): find_package(sqtt) is needed in this folder or in one above it")
  endif()
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "sqtt_instrument(${target}): there is no target of this name yet: add_executable or add_library "
                        "comes first")
  endif()
  foreach(property ALIASED_TARGET IMPORTED SQTT_INSTRUMENTED)
    get_target_property(value "${target}" ${property})
    if(value)
      message(FATAL_ERROR "sqtt_instrument(${target}): the target has ${property}=${value}; a target that this project "
                          "compiles is instrumented, once, under its own name")
    endif()
  endforeach()
  get_target_property(type "${target}" TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "sqtt_instrument(${target}): a target of type ${type} compiles nothing")
  endif()
endfunction()

# Stops unless `sqtt doctor` finds that the compiler loads the plugin. Each pair of both is asked for once.
function(_sqtt_check_compiler target language)
  set(compiler "${CMAKE_${language}_COMPILER}")
  if(NOT language MATCHES "^(HIP|CXX|C)$" OR NOT compiler)
    message(FATAL_ERROR "sqtt_instrument(${target}): LANGUAGES ${language}: a language of device code (HIP, CXX or C) "
                        "that the project has enabled is needed")
  endif()
  if(NOT CMAKE_${language}_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "sqtt_instrument(${target}): the compiler of ${language} is ${compiler} "
                        "(${CMAKE_${language}_COMPILER_ID}), which has no plugins of LLVM: set CMAKE_${language}_COMPILER "
                        "to hipcc or clang, or enable the language HIP")
  endif()
  file(SHA256 "${SQTT_PLUGIN}" hash)
  string(SHA256 pair "${compiler};${CMAKE_${language}_COMPILER_VERSION};${hash};$ENV{HIP_CLANG_PATH}")
  if("$CACHE{SQTT_FITS_${language}}" STREQUAL pair)
    return()
  endif()
  execute_process(COMMAND "${SQTT_EXECUTABLE}" doctor --clang "${compiler}" --plugin "${SQTT_PLUGIN}"
                  RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    # Lines that are indented are kept as they are.
    string(REPLACE "\n" "\n  " said "${said}")
    message(FATAL_ERROR "sqtt_instrument(${target}): the plugin does not fit the compiler of ${language}, "
                        "${compiler}; `sqtt doctor` says:\n  ${said}")
  endif()
  set(SQTT_FITS_${language} "${pair}" CACHE INTERNAL "compiler and plugin that fit")
endfunction()

# Settings in the order of their names, each once: a later one takes the place of an earlier one. An empty value is none.
function(_sqtt_merge_settings target result)
  set(names)
  foreach(setting IN LISTS ARGN)
    if(NOT setting MATCHES "^([A-Z0-9_]+)=([^'\n]*)$")
      message(FATAL_ERROR "sqtt_instrument(${target}): SETTINGS ${setting}: a setting is NAME=VALUE, without quotes")
    endif()
    set(name "${CMAKE_MATCH_1}")
    set(value "${CMAKE_MATCH_2}")
    if(NOT name IN_LIST SQTT_KNOWN_SETTINGS)
      string(REPLACE ";" ", " known "${SQTT_KNOWN_SETTINGS}")
      message(FATAL_ERROR "sqtt_instrument(${target}): ${name}: unknown setting; known are ${known}")
    endif()
    list(APPEND names "${name}")
    set(value_of_${name} "${value}")
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(SORT names)
  set(merged)
  foreach(name IN LISTS names)
    if(NOT value_of_${name} STREQUAL "")
      list(APPEND merged "${name}=${value_of_${name}}")
    endif()
  endforeach()
  set(${result} "${merged}" PARENT_SCOPE)
endfunction()

# A folder with a file of settings and a link to the plugin. Its name is a hash of both.
function(_sqtt_write_settings settings result)
  # Another plugin in the same place is another compile.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${SQTT_PLUGIN}")
  set(text "")
  foreach(setting IN LISTS settings)
    string(REGEX REPLACE "^([^=]*)=(.*)$" "\\1 = '\\2'\n" line "${setting}")
    string(APPEND text "${line}")
  endforeach()
  file(SHA256 "${SQTT_PLUGIN}" plugin)
  string(SHA256 hash "${plugin}\n${text}")
  string(SUBSTRING "${hash}" 0 16 hash)
  set(folder "${CMAKE_BINARY_DIR}/sqtt/${hash}")
  file(MAKE_DIRECTORY "${folder}")
  file(WRITE "${folder}/settings.toml" "${text}")
  file(CREATE_LINK "${SQTT_PLUGIN}" "${folder}/libsqttinstrumentpass.so" SYMBOLIC)
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()
