# Building a target so that it can be profiled, and with a profile.
#
#   inlay_build_for_profiling(<target>)
#   inlay_use_profile(<target> <profile> [OPTIONAL])
#
# Both add flags to the target's C and C++ sources alone: the assembler knows
# nothing of -mllvm -inlay-profile. Line tables and discriminators are what a
# profile is written in, so that both add those; a configuration that has debug
# information anyway keeps what it has.
#
# A relative <profile> is relative to the current source directory. With
# OPTIONAL a profile that is not there yet means inlay_build_for_profiling; run
# cmake again once there is one.
#
# When the profile changes, the objects of the target are compiled again, and
# nothing else is. To that end the compiler is given a copy whose name contains
# a hash of the contents: a change makes CMake run again, the command lines
# change, and with them what is out of date. Unlike OBJECT_DEPENDS this holds
# for every source of the target, whoever adds it and wherever, for no other
# target that shares a source, and for compiler caches such as ccache, which
# look at the command line.

# Sets <out> to the target behind an alias that may have flags of its own.
function(_inlay_compiled_target out target caller)
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "${caller}: there is no target `${target}'")
  endif()
  get_target_property(aliased "${target}" ALIASED_TARGET)
  if(aliased)
    set(target "${aliased}")
  endif()
  get_target_property(imported "${target}" IMPORTED)
  get_target_property(type "${target}" TYPE)
  if(imported OR type MATCHES "^(INTERFACE_LIBRARY|UTILITY)$")
    message(FATAL_ERROR
      "${caller}: nothing is compiled for the target `${target}'")
  endif()
  set(${out} "${target}" PARENT_SCOPE)
endfunction()

# The plugin calls into the very libLLVM that the compiler runs on.
function(_inlay_check_compiler caller exact)
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER_LOADED)
      continue()
    endif()
    set(version "${CMAKE_${language}_COMPILER_VERSION}")
    string(REGEX MATCH "^[0-9]+" major "${version}")
    if(CMAKE_${language}_COMPILER_ID STREQUAL "Clang" AND
       (NOT exact OR major EQUAL Inlay_LLVM_VERSION))
      continue()
    endif()
    if(language STREQUAL "CXX")
      set(wanted "clang++-${Inlay_LLVM_VERSION}")
    else()
      set(wanted "clang-${Inlay_LLVM_VERSION}")
    endif()
    message(FATAL_ERROR
      "${caller}: Inlay was built for clang ${Inlay_LLVM_VERSION}, but the "
      "${language} compiler is ${CMAKE_${language}_COMPILER_ID} ${version} "
      "(${CMAKE_${language}_COMPILER}). Configure an empty build directory with "
      "-DCMAKE_${language}_COMPILER=${wanted}, or build Inlay for that clang.")
  endforeach()
endfunction()

# Adds <flags>, one string quoted for a shell, to C and C++ sources.
function(_inlay_add_flags target flags)
  set(configurations ${CMAKE_CONFIGURATION_TYPES})
  if(NOT configurations)
    # Without a build type there is one configuration all the same; a list of
    # one empty string is an empty list for foreach().
    set(configurations "${CMAKE_BUILD_TYPE}")
    if(NOT configurations)
      set(configurations NONE)
    endif()
  endif()
  get_target_property(options "${target}" COMPILE_OPTIONS)
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER_LOADED)
      continue()
    endif()
    set(bare)
    foreach(configuration IN LISTS configurations)
      string(TOUPPER "${configuration}" suffix)
      string(JOIN " " present ${CMAKE_${language}_FLAGS}
             ${CMAKE_${language}_FLAGS_${suffix}} ${options})
      if(NOT present MATCHES "(^| )-g([1-3]|gdb[1-3]?|dwarf-[2-6])?( |$)")
        if(configuration STREQUAL "NONE")
          list(APPEND bare 1)
        else()
          list(APPEND bare "$<CONFIG:${configuration}>")
        endif()
      endif()
    endforeach()
    if(configurations STREQUAL "NONE" AND
       NOT " ${CMAKE_${language}_FLAGS} ${options}" MATCHES " -O[1-3s]")
      message(WARNING
        "Inlay: `${target}' is compiled without optimization, for which "
        "profiles are of no use; configure with -DCMAKE_BUILD_TYPE=Release.")
    endif()
    string(JOIN "," bare ${bare})
    set(only "$<COMPILE_LANGUAGE:${language}>")
    # The last -g option wins, and full debug information holds line tables.
    if(bare)
      target_compile_options("${target}" PRIVATE
        "$<$<AND:${only},$<OR:${bare}>>:-gmlt>")
    endif()
    # SHELL: keeps CMake from dropping a second -mllvm as a repetition.
    target_compile_options("${target}" PRIVATE "$<${only}:SHELL:${flags}>")
  endforeach()
endfunction()

function(inlay_build_for_profiling target)
  _inlay_compiled_target(target "${target}" inlay_build_for_profiling)
  _inlay_check_compiler(inlay_build_for_profiling FALSE)
  # Frame pointers carry the call chains of `perf record -g'.
  _inlay_add_flags("${target}" "-fdebug-info-for-profiling \
-fno-omit-frame-pointer -mno-omit-leaf-frame-pointer")
endfunction()

function(inlay_use_profile target profile)
  cmake_parse_arguments(PARSE_ARGV 2 arg "OPTIONAL" "" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "inlay_use_profile: unknown argument `${arg_UNPARSED_ARGUMENTS}'")
  endif()
  _inlay_compiled_target(target "${target}" inlay_use_profile)
  _inlay_check_compiler(inlay_use_profile TRUE)
  get_filename_component(profile "${profile}" ABSOLUTE)
  if(IS_DIRECTORY "${profile}" OR
     (NOT EXISTS "${profile}" AND NOT arg_OPTIONAL))
    message(FATAL_ERROR
      "inlay_use_profile: there is no profile ${profile}. Make one with "
      "`perf record' and llvm-profconv from a build of `${target}' that says "
      "inlay_build_for_profiling(${target}). With the word OPTIONAL behind the "
      "profile, that is what `${target}' is until there is one.")
  endif()
  if(NOT EXISTS "${profile}")
    message(STATUS
      "Inlay: no ${profile} yet, `${target}' is built to be profiled")
    inlay_build_for_profiling("${target}")
    return()
  endif()

  get_filename_component(name "${profile}" NAME)
  file(SHA256 "${profile}" hash)
  string(SUBSTRING "${hash}" 0 16 hash)
  set(directory "${PROJECT_BINARY_DIR}/inlay/${target}")
  set(copy "${directory}/${hash}-${name}")
  file(GLOB old "${directory}/*")
  list(REMOVE_ITEM old "${copy}")
  if(old)
    file(REMOVE ${old})
  endif()
  # This makes CMake run again when the profile is newer.
  configure_file("${profile}" "${copy}" COPYONLY)

  _inlay_add_flags("${target}" "-fdebug-info-for-profiling \
\"-fplugin=${Inlay_PLUGIN}\" \"-fpass-plugin=${Inlay_PLUGIN}\" \
-mllvm \"-inlay-profile=${copy}\"")
endfunction()
