# Installs the build tree BUILD into WORK, builds a project against it there and runs what came out.
cmake_minimum_required(VERSION 3.22)

function(run expected)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${result}\n${output}")
  endif()
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "${ARGN}: expected ${expected}, found\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run("" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run("" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK}/build -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_PREFIX_PATH=${WORK}/prefix)
run("" ${CMAKE_COMMAND} --build ${WORK}/build)
# docs/certificates.md, B1: .7^17 = .00233 > .002 > .7^18.
run("^17 words\n$" ${WORK}/build/consumer)
run("^[0-9]+\\.[0-9]+\\.[0-9]+\n$" ${WORK}/prefix/bin/textcrs --version)
file(REMOVE_RECURSE ${WORK})
