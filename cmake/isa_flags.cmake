# Files named x_avx2.cc, x_avx512.cc, x_avx512_bf16.cc and x_amx.cc are compiled for that instruction
# set; which of them runs is decided at run time. On other processors they are left out.
function(textcrs_isa_files target)
  set(avx2 -mavx2 -mfma)
  set(avx512 ${avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl)
  set(avx512_bf16 ${avx512} -mavx512bf16)
  set(amx ${avx512_bf16} -mamx-tile -mamx-bf16)
  get_target_property(sources ${target} SOURCES)
  foreach(isa avx2 avx512 avx512_bf16 amx)
    set(own ${sources})
    list(FILTER own INCLUDE REGEX "_${isa}\\.cc$")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      # GCC 12 takes the undefined operand of its own intrinsics for a mistake.
      set_source_files_properties(${own} PROPERTIES COMPILE_OPTIONS
                                  "${${isa}};-Wno-uninitialized;-Wno-maybe-uninitialized")
    else()
      list(REMOVE_ITEM sources ${own})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
endfunction()
