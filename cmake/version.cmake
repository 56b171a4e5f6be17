# What textcrs/base/version.h says. The commit is that of the last configuration, which a new commit
# triggers; outside of a checkout it is empty.
execute_process(COMMAND git rev-parse --short HEAD WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git rev-parse --git-path logs/HEAD WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
                OUTPUT_VARIABLE log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(log)
  get_filename_component(log ${log} ABSOLUTE)
  if(EXISTS ${log})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
  endif()
endif()
set_source_files_properties(
  src/base/version.cc PROPERTIES COMPILE_DEFINITIONS
  "TEXTCRS_VERSION=\"${PROJECT_VERSION}\";TEXTCRS_COMMIT=\"${commit}\"")
