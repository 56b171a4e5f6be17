# libtextcrs_cuda: the engine for NVIDIA GPUs, loaded by libtextcrs on demand. CUDA's runtime is linked
# into it, so that it needs nothing but the driver, and cuBLAS for BERT, which it loads on demand.
# Without CUDA's compiler everything else is built.
include(CheckLanguage)
if(TEXTCRS_CUDA)
  check_language(CUDA)
endif()
if(NOT CMAKE_CUDA_COMPILER)
  message(STATUS "No CUDA compiler: without an engine for GPUs")
  return()
endif()
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
  message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION} has no C++20: without an engine for GPUs")
  return()
endif()
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has it
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()

function(textcrs_cuda_target target architectures)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${target} PRIVATE
                         $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wnon-virtual-dtor>)
  set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${architectures}"
                        CUDA_RUNTIME_LIBRARY Static)
endfunction()

set(hopper_kernels src/kernels/cuda/lstm_resident.cu)  # its instructions are those of one card
file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} src/kernels/cuda/*.cu
     src/kernels/cuda/*.cc src/engine/cuda/*.cc)
list(REMOVE_ITEM sources ${hopper_kernels})
add_library(textcrs_hopper_objects OBJECT ${hopper_kernels})
textcrs_cuda_target(textcrs_hopper_objects "90a-real")
add_library(textcrs_cuda_objects OBJECT ${sources})
textcrs_cuda_target(textcrs_cuda_objects "80-real;90")
target_include_directories(textcrs_cuda_objects SYSTEM PRIVATE
                           ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})  # cublasLt.h
target_link_libraries(textcrs_cuda_objects PUBLIC fmt::fmt Threads::Threads textcrs_hopper_objects)

add_library(textcrs_cuda_library SHARED)
target_link_libraries(textcrs_cuda_library PRIVATE textcrs_cuda_objects textcrs_hopper_objects textcrs)
set_target_properties(textcrs_cuda_library PROPERTIES OUTPUT_NAME textcrs_cuda
                      VERSION ${PROJECT_VERSION} SOVERSION ${TEXTCRS_SOVERSION}
                      INSTALL_RPATH "$ORIGIN" CUDA_RUNTIME_LIBRARY Static)
