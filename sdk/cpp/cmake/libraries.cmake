# What the SDK is linked against: `arena_libraries`. Included by its build, and by whoever finds it
# installed.

if(TARGET arena_libraries)
  return()
endif()
# A bot that adds the folder of the SDK links in a folder above it.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)

find_package(Threads REQUIRED)
# Who has built protobuf has its configuration; Debian's package leaves it to CMake's own module.
find_package(Protobuf CONFIG QUIET)
if(NOT Protobuf_FOUND)
  find_package(Protobuf REQUIRED)
endif()
add_library(arena_libraries INTERFACE IMPORTED GLOBAL)
target_link_libraries(arena_libraries INTERFACE protobuf::libprotobuf Threads::Threads)

# gRPC without TLS, which loads in less time: the referee is on the same machine. Shared libraries are
# taken as they are. gRPC's own configuration looks for all that gRPC was built with as well, which
# takes minutes in Debian 13; it is for those who have static ones only.
set(grpc_shared)
foreach(name IN ITEMS grpc++_unsecure grpc_unsecure gpr absl_synchronization)
  set(file ${CMAKE_SHARED_LIBRARY_PREFIX}${name}${CMAKE_SHARED_LIBRARY_SUFFIX})
  find_library(arena_${name} NAMES ${file})
  mark_as_advanced(arena_${name})
  if(NOT arena_${name})
    set(grpc_shared)
    break()
  endif()
  list(APPEND grpc_shared ${arena_${name}})
endforeach()
if(grpc_shared)
  target_link_libraries(arena_libraries INTERFACE ${grpc_shared})
else()
  find_package(gRPC CONFIG REQUIRED)
  target_link_libraries(arena_libraries INTERFACE gRPC::grpc++_unsecure)
endif()
