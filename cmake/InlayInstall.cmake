# What `cmake --install' puts where, so that another project can say
# find_package(Inlay):
#
#   bin/llvm-profconv
#   bin/llvm-profstore   if its libraries were found, and with it
#   lib/systemd/system/  its units
#   share/llvm-profstore/  rights in PostgreSQL
#   lib/Inlay.so
#   lib/cmake/Inlay/     the package configuration with inlay_use_profile()
#
# An LLVM outside of the system's directories is found again by its run path.

include(CMakePackageConfigHelpers)

set(inlay_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Inlay")
set(inlay_plugin_file "${CMAKE_INSTALL_LIBDIR}/Inlay.so")
set(inlay_profconv_file "${CMAKE_INSTALL_BINDIR}/llvm-profconv")

set_target_properties(Inlay llvm-profconv PROPERTIES
  INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS llvm-profconv DESTINATION "${CMAKE_INSTALL_BINDIR}")
if(TARGET llvm-profstore)
  set_target_properties(llvm-profstore PROPERTIES
    INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS llvm-profstore DESTINATION "${CMAKE_INSTALL_BINDIR}")
  foreach(unit llvm-profstore-collect@.service llvm-profstore-gc.service)
    configure_file("${PROJECT_SOURCE_DIR}/packaging/${unit}.in"
                   "${PROJECT_BINARY_DIR}/packaging/${unit}" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/packaging/${unit}"
            DESTINATION lib/systemd/system)
  endforeach()
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/llvm-profstore-gc.timer"
          DESTINATION lib/systemd/system)
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/postgresql-roles.sql"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/llvm-profstore")
endif()
install(TARGETS Inlay DESTINATION "${CMAKE_INSTALL_LIBDIR}")

configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/InlayConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/cmake/InlayConfig.cmake"
  INSTALL_DESTINATION "${inlay_package_dir}"
  PATH_VARS inlay_plugin_file inlay_profconv_file
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/cmake/InlayConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/cmake/InlayConfig.cmake"
  "${PROJECT_BINARY_DIR}/cmake/InlayConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/InlayUseProfile.cmake"
  DESTINATION "${inlay_package_dir}")
