# libkernelglass, its headers, and what find_package(Kernelglass) and pkg-config know of it: the component
# `development` of an installation.
# All objects of the rooms, because programs call what nothing in the library calls.
set(rooms core filters cpu gpu library)
set(links Threads::Threads ${CMAKE_DL_LIBS} TBB::tbb PkgConfig::HWY)
if(KG_HAS_CUDA)
  list(APPEND links CUDA::cudart_static)
endif()
if(KG_GL)
  list(APPEND rooms display)
  list(APPEND links PkgConfig::EPOXY)
endif()
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:kg_\\1>" OUTPUT_VARIABLE objects)
add_library(kernelglass_library SHARED ${objects})
target_link_libraries(kernelglass_library PRIVATE ${links})
set_target_properties(kernelglass_library PROPERTIES OUTPUT_NAME kernelglass EXPORT_NAME kernelglass
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
# Exports the namespace kg alone. The library calls its own functions, not copies of inline functions that a
# program compiled with other options, such as a fused multiply-add.
configure_file(symbols.map.in symbols.map @ONLY)
target_link_options(kernelglass_library PRIVATE -Wl,--no-undefined -Wl,-Bsymbolic-functions
  "-Wl,--version-script=${CMAKE_CURRENT_BINARY_DIR}/symbols.map")
set_target_properties(kernelglass_library PROPERTIES
  LINK_DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/symbols.map")

set(include_dir
  "${CMAKE_INSTALL_INCLUDEDIR}/kernelglass-${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
target_include_directories(kernelglass_library INTERFACE "$<INSTALL_INTERFACE:${include_dir}>")
target_compile_features(kernelglass_library INTERFACE cxx_std_20)
install(TARGETS kernelglass_library EXPORT KernelglassTargets COMPONENT development
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")

# Headers: rooms of the contract as a whole, of the others what the contract's users need.
install(CODE "
  set(source \"${CMAKE_SOURCE_DIR}\")
  set(generated \"${CMAKE_CURRENT_BINARY_DIR}/include\")
  set(destination \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${include_dir}/kernelglass\")
  set(with_cuda ${KG_HAS_CUDA})
  set(with_display ${KG_GL})
  include(\"${CMAKE_CURRENT_SOURCE_DIR}/install_headers.cmake\")" COMPONENT development)

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Kernelglass")
configure_package_config_file(KernelglassConfig.cmake.in KernelglassConfig.cmake
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(KernelglassConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/KernelglassConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/KernelglassConfigVersion.cmake" DESTINATION "${package_dir}"
  COMPONENT development)
install(EXPORT KernelglassTargets NAMESPACE Kernelglass:: DESTINATION "${package_dir}"
  COMPONENT development)
# Paths relative to the file, so that an installation may be moved.
file(RELATIVE_PATH prefix_of_pc "/p/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/p")
configure_file(kernelglass.pc.in kernelglass.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/kernelglass.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/examples"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/kernelglass" COMPONENT development)
