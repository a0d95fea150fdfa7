# add_inlay_library(Perf LINK Support): the static library inlayPerf of
# lib/Perf, made of every .cpp beside the CMakeLists.txt that calls it.
#
# CONFIGURE_DEPENDS makes a new file show up without editing a list.

function(add_inlay_library name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_library(inlay${name} STATIC ${sources})
  target_include_directories(inlay${name} PUBLIC
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
  set(parts ${arg_LINK})
  list(TRANSFORM parts PREPEND inlay)
  target_link_libraries(inlay${name} PUBLIC InlayLLVM ${parts})
endfunction()

# add_inlay_tool(llvm-profconv LINK Perf Sampling ...)
function(add_inlay_tool name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_executable(${name} ${sources})
  set(parts ${arg_LINK})
  list(TRANSFORM parts PREPEND inlay)
  target_link_libraries(${name} PRIVATE InlayLLVM ${parts})
endfunction()
