# `cmake -P FOLDER/build.cmake [TARGET]`, in a bot's folder: builds the bot and leaves its program
# there, or makes another target, such as `check`.
#
# Where the SDK is installed, as in the language image, everything is made anew in seconds and
# nothing of it is left: what lies in the folder then is the bot. Elsewhere the compiled SDK stays in
# `build`, with the mark by which `arena pack` and backups leave such a folder out.
cmake_minimum_required(VERSION 3.25)

set(tree ${CMAKE_CURRENT_BINARY_DIR}/build)
if(CMAKE_ARGC GREATER 3)
  set(target ${CMAKE_ARGV3})
else()
  set(target all)
endif()

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE failed)
  if(failed)
    string(JOIN " " command ${ARGV})
    message(FATAL_ERROR "failed: ${command}")
  endif()
endfunction()

# A folder that was moved, or copied, has brought along what CMake found where it was before.
if(EXISTS ${tree}/CMakeCache.txt)
  file(STRINGS ${tree}/CMakeCache.txt home REGEX "^CMAKE_HOME_DIRECTORY:INTERNAL=")
  string(REGEX REPLACE "^[^=]*=" "" home "${home}")
  file(REAL_PATH "${home}" home)
  file(REAL_PATH ${CMAKE_CURRENT_BINARY_DIR} here)
  if(NOT home STREQUAL here)
    message(STATUS "build: of ${home}; everything is compiled anew")
    file(REMOVE_RECURSE ${tree})
  endif()
endif()

# Two compilers at a time fit into the memory that the arena gives to a build, whatever the machine.
set(jobs 2)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_BINARY_DIR} -B ${tree} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${tree} --target ${target} --parallel ${jobs})
if(IS_DIRECTORY ${tree}/arena_sdk)
  file(WRITE ${tree}/CACHEDIR.TAG "Signature: 8a477f597d28d172789f06886806bc55\n")
else()
  file(REMOVE_RECURSE ${tree})
endif()
