# libtextcrs_torch: everything of src/torch that includes LibTorch, loaded by libtextcrs on demand.
find_package(Torch REQUIRED)
find_package(BLAS REQUIRED)
if(Torch_VERSION VERSION_GREATER_EQUAL 2.1)
  target_compile_definitions(textcrs_torch PRIVATE TEXTCRS_GROWING_SEGMENTS)
endif()
add_library(textcrs_torch_objects OBJECT ${torch_sources})
target_compile_options(textcrs_torch_objects PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
target_include_directories(textcrs_torch_objects PUBLIC include PRIVATE src)
target_include_directories(textcrs_torch_objects SYSTEM PUBLIC ${TORCH_INCLUDE_DIRS})
# LibTorch 2.x brings headers of an fmt of its own, which no library here matches.
target_compile_definitions(textcrs_torch_objects PUBLIC FMT_HEADER_ONLY=1)
target_link_libraries(textcrs_torch_objects PUBLIC ${TORCH_LIBRARIES} BLAS::BLAS fmt::fmt-header-only
                      nlohmann_json::nlohmann_json)
# Parsing LibTorch's headers is most of the build: once, not once per file.
target_precompile_headers(textcrs_torch_objects PRIVATE <torch/types.h>)
# Wide vectors never cross a call there; older GCCs warn all the same.
set_source_files_properties(src/torch/lstm_gates.cc PROPERTIES COMPILE_OPTIONS -Wno-psabi)

add_library(textcrs_torch_library SHARED)
target_link_libraries(textcrs_torch_library PRIVATE textcrs_torch_objects textcrs)
set_target_properties(textcrs_torch_library PROPERTIES OUTPUT_NAME textcrs_torch
                      VERSION ${PROJECT_VERSION} SOVERSION ${TEXTCRS_SOVERSION}
                      INSTALL_RPATH "$ORIGIN"
                      INSTALL_RPATH_USE_LINK_PATH ON)
# What libtextcrs does not show is noticed here, not when the library is loaded.
if(NOT TEXTCRS_SANITIZE)
  target_link_options(textcrs_torch_library PRIVATE -Wl,-z,defs)
endif()
