# Text files as functions of a library:
#   textcrs_embed(target file.cc "page/assets.h" page_style "a.css" page_script "b.js,c.js")
# makes file.cc, in which page_style() is the text of a.css and page_script() that of b.js and c.js,
# one after the other. The header declares the functions, in the namespace textcrs.
function(textcrs_embed target output header)
  set(code "// Made by cmake/embed.cmake.\n#include \"${header}\"\n\nnamespace textcrs {\n")
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs function files)
    string(REPLACE "," ";" files "${files}")
    set(text)
    foreach(file ${files})
      set(path ${CMAKE_CURRENT_SOURCE_DIR}/${file})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
      file(READ ${path} part)
      string(APPEND text "${part}")
    endforeach()
    string(APPEND code "std::string_view ${function}() {\n  return R\"_ASSET_(${text})_ASSET_\";\n}\n")
  endwhile()
  string(APPEND code "}  // namespace textcrs\n")
  file(WRITE ${output}.new "${code}")
  configure_file(${output}.new ${output} COPYONLY)  # leaves the same text alone
  target_sources(${target} PRIVATE ${output})
endfunction()
