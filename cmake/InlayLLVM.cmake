# Finds one LLVM and sets the flags that code built against it needs.
#
# -DLLVM_DIR=/usr/lib/llvm-19/lib/cmake/llvm chooses a version; without it the
# newest that we support is taken. The plugin must be built for the very major
# version of the clang that will load it.

set(INLAY_LLVM_VERSIONS 22 21 20 19)

if(NOT LLVM_DIR)
  foreach(version IN LISTS INLAY_LLVM_VERSIONS)
    find_package(LLVM ${version} QUIET CONFIG
                 PATHS /usr/lib/llvm-${version}/lib/cmake/llvm)
    if(LLVM_FOUND)
      break()
    endif()
  endforeach()
endif()
find_package(LLVM REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR IN_LIST INLAY_LLVM_VERSIONS)
  message(FATAL_ERROR
    "Inlay needs LLVM 19 to 22, but ${LLVM_DIR} is LLVM ${LLVM_PACKAGE_VERSION}. "
    "Choose another with -DLLVM_DIR=/usr/lib/llvm-22/lib/cmake/llvm.")
endif()
if(NOT TARGET LLVM)
  message(FATAL_ERROR
    "Inlay needs the shared libLLVM (target `LLVM'), which ${LLVM_DIR} lacks. "
    "Distribution packages have it (llvm-${LLVM_VERSION_MAJOR}-dev); in a build "
    "of your own configure LLVM with -DLLVM_BUILD_LLVM_DYLIB=ON.")
endif()
message(STATUS "Inlay: LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

# LLVM's headers are somebody else's: SYSTEM keeps their warnings out of ours.
add_library(InlayLLVM INTERFACE)
separate_arguments(inlay_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_include_directories(InlayLLVM SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(InlayLLVM INTERFACE ${inlay_llvm_definitions})
target_compile_options(InlayLLVM INTERFACE
  -fno-exceptions -fno-rtti -Wall -Wextra -Wno-unused-parameter
  -ffunction-sections -fvisibility-inlines-hidden)
target_link_libraries(InlayLLVM INTERFACE LLVM)

# Without the check of enumerations: LLVM's headers store what a file says in
# one before looking whether it is valid.
if(INLAY_SANITIZE)
  target_compile_options(InlayLLVM INTERFACE
    -fsanitize=${INLAY_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -fno-sanitize=enum)
  target_link_options(InlayLLVM INTERFACE -fsanitize=${INLAY_SANITIZE})
endif()
