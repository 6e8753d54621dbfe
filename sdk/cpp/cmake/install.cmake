# `cmake --install`: the library, its headers, and what `find_package(arena_sdk)` finds.
include(CMakePackageConfigHelpers)

set(package lib/cmake/arena_sdk)
install(TARGETS arena_sdk EXPORT arena_sdk ARCHIVE DESTINATION lib)
install(DIRECTORY include/arena DESTINATION include)
install(EXPORT arena_sdk NAMESPACE arena:: FILE arena_sdk_targets.cmake DESTINATION ${package})
configure_package_config_file(cmake/arena_sdkConfig.cmake.in
                              ${CMAKE_CURRENT_BINARY_DIR}/arena_sdkConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/arena_sdkConfigVersion.cmake
                                 COMPATIBILITY ExactVersion)
install(FILES cmake/libraries.cmake ${CMAKE_CURRENT_BINARY_DIR}/arena_sdkConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/arena_sdkConfigVersion.cmake DESTINATION ${package})
