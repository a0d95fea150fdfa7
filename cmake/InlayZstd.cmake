# The target inlayZstd, if there is a libzstd: for records that `perf record -z'
# compressed. Without it they are an error that says so.

find_path(INLAY_ZSTD_INCLUDE_DIR zstd.h)
find_library(INLAY_ZSTD_LIBRARY zstd)
mark_as_advanced(INLAY_ZSTD_INCLUDE_DIR INLAY_ZSTD_LIBRARY)
if(INLAY_ZSTD_INCLUDE_DIR AND INLAY_ZSTD_LIBRARY)
  add_library(inlayZstd INTERFACE)
  target_compile_definitions(inlayZstd INTERFACE INLAY_HAVE_ZSTD)
  target_include_directories(inlayZstd SYSTEM INTERFACE
    "${INLAY_ZSTD_INCLUDE_DIR}")
  target_link_libraries(inlayZstd INTERFACE "${INLAY_ZSTD_LIBRARY}")
else()
  message(STATUS "Inlay: no libzstd (libzstd-dev), so recordings that perf "
                 "compressed (perf record -z) cannot be read")
endif()
