# Installs the build tree BUILD into WORK, builds README's example against it there, trains a model and
# runs what came out; then the same model with nothing installed but what serving needs.
cmake_minimum_required(VERSION 3.22)

function(run expected_exit expected)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL expected_exit)
    message(FATAL_ERROR "${ARGN}: exit code ${result}, expected ${expected_exit}\n${output}")
  endif()
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "${ARGN}: expected ${expected}, found\n${output}")
  endif()
endfunction()

# The C++ of README, as it stands there.
file(REMOVE_RECURSE ${WORK})
file(READ ${SOURCE}/README.md readme)
if(NOT readme MATCHES "\n```cpp\n([^`]*)```\n")
  message(FATAL_ERROR "README.md: found no C++ example")
endif()
file(WRITE ${WORK}/consumer/consumer.cc "${CMAKE_MATCH_1}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/consumer.cmake ${WORK}/consumer/CMakeLists.txt COPYONLY)

run(0 "" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(0 "" ${CMAKE_COMMAND} -S ${WORK}/consumer -B ${WORK}/build -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_PREFIX_PATH=${WORK}/prefix)
run(0 "" ${CMAKE_COMMAND} --build ${WORK}/build)
set(environment ${CMAKE_COMMAND} -E env TEXTCRS_HOME=${WORK}/home)
set(program ${environment} ${WORK}/prefix/bin/textcrs)
run(0 "^textcrs [0-9]+\\.[0-9]+\\.[0-9]+ \\((commit [0-9a-f]+, )?[a-z0-9]+\\)\n$" ${program} --version)

run(0 "" ${CMAKE_COMMAND} --install ${BUILD} --component serving --prefix ${WORK}/serving)
set(serving ${environment} ${WORK}/serving/bin/textcrs)
foreach(file man/man1/textcrs.1 bash-completion/completions/textcrs zsh/site-functions/_textcrs)
  file(READ ${WORK}/serving/share/${file} text)
  if(NOT text MATCHES "-certificate")
    message(FATAL_ERROR "${file}: expected the program's flags, found\n${text}")
  endif()
endforeach()
set(train train --data ${CMAKE_CURRENT_LIST_DIR}/texts.csv
    --vectors ${CMAKE_CURRENT_LIST_DIR}/vectors.txt --noise universal:p=0.3 --hidden 8 --slots 16
    --batch-size 16 --epochs 8 --learning-rate 0.03 --dropout 0 --input-dropout 0)
run(1 "need LibTorch: libtextcrs_torch.so.[0-9.]+ can not be loaded" ${serving} ${train} --out ${WORK}/none)

if(TORCH)  # training needs LibTorch, answers do not
  set(text "a warm and bright film of great music and fine story: the good town is great")
  run(0 "model: " ${program} ${train} --out ${WORK}/model)
  set(answer "pos \\(.*votes\\), and stays so in any word order.*confidence\n")
  run(0 "^pos\n${answer}$" ${WORK}/build/consumer ${WORK}/model ${text})
  run(0 "^${answer}the same answers again: --seed [0-9]+\n$" ${serving} predict --model ${WORK}/model
      ${text})
endif()
file(REMOVE_RECURSE ${WORK})
