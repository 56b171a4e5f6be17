# find_package(textcrs) for other CMake projects.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/textcrs)
install(TARGETS textcrs EXPORT textcrs-targets)
install(TARGETS textcrs_program)
install(DIRECTORY include/textcrs DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT textcrs-targets NAMESPACE textcrs:: DESTINATION ${package_dir}
        FILE textcrs-config.cmake)
write_basic_package_version_file(textcrs-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/textcrs-config-version.cmake DESTINATION ${package_dir})
