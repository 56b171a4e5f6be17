# find_package(textcrs) for other CMake projects.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/textcrs)
# `cmake --install build --component serving` is all that answering and certifying needs: the program and
# its library, a few megabytes. `training` adds what needs LibTorch, `development` what C++ programs need.
install(TARGETS textcrs EXPORT textcrs-targets LIBRARY COMPONENT serving
        NAMELINK_COMPONENT development)
install(TARGETS textcrs_program RUNTIME COMPONENT serving)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT serving)
if(TARGET textcrs_cuda_library)
  install(TARGETS textcrs_cuda_library LIBRARY COMPONENT serving NAMELINK_SKIP)
endif()
if(TEXTCRS_TORCH)
  install(TARGETS textcrs_torch_library LIBRARY COMPONENT training NAMELINK_SKIP)
endif()
install(DIRECTORY include/textcrs DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT textcrs-targets NAMESPACE textcrs:: DESTINATION ${package_dir}
        FILE textcrs-config.cmake COMPONENT development)
write_basic_package_version_file(textcrs-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/textcrs-config-version.cmake DESTINATION ${package_dir}
        COMPONENT development)
