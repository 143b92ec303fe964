# What a desktop knows of the program, and the packages that cpack makes of an installation: Debian packages
# of the program and of the library, and an archive of the sources (cpack --config CPackSourceConfig.cmake).
set(desktop "${CMAKE_SOURCE_DIR}/assets/desktop")
install(FILES "${desktop}/kernelglass.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
install(FILES "${desktop}/kernelglass.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
install(FILES "${desktop}/org.kernelglass.Kernelglass.metainfo.xml"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
set(changelog "${CMAKE_BINARY_DIR}/changelog.gz")
add_custom_command(OUTPUT "${changelog}" COMMAND gzip -9nc "${CMAKE_SOURCE_DIR}/CHANGELOG.md" > "${changelog}"
  DEPENDS "${CMAKE_SOURCE_DIR}/CHANGELOG.md" VERBATIM)
add_custom_target(kernelglass_changelog ALL DEPENDS "${changelog}")

set(CPACK_VERBATIM_VARIABLES ON) # keeps the backslashes of regular expressions
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kernelglass)
set(CPACK_PACKAGE_VENDOR "The Kernelglass authors")
set(CPACK_PACKAGE_CONTACT "The Kernelglass authors <maintainers@kernelglass.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "convolution filters for images, on a GPU or the processor")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
[[A window shows the result of a kernel while a slider is dragged, and what the
kernel does and why: sums of single pixels, frequency response, borders,
timing and verification of every algorithm. The command line filters files,
folders, signals, volumes and banks of filters. NVIDIA GPUs are used where
there is a driver.]])
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # needs dpkg-shlibdeps
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# Libraries that are opened when they are needed, and files that the window reads. OpenCV's codecs, for
# formats such as WebP, bring 85 packages.
string(REGEX REPLACE "^libopencv_imgcodecs\\.so\\.([0-9]+)$" "libopencv-imgcodecs\\1" codecs
  "${KgOpenCV_imgcodecs_FILE}")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS
  "fonts-inter, fonts-jetbrains-mono, fonts-materialdesignicons-webfont, libegl1, libgl1")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "fonts-droid-fallback, libgl1-mesa-dri, ${codecs}")
# A package of each component: the program, and the library (library/shared_library.cmake).
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program)
if(TARGET kernelglass_library)
  list(APPEND CPACK_COMPONENTS_ALL development)
endif()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME kernelglass)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libkernelglass-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
[[Library and headers for C++ programs that filter images in memory or on an
NVIDIA GPU, or that add algorithms of their own. For CMake and pkg-config, with
examples.]])
set(triggers "${CMAKE_BINARY_DIR}/debian/triggers")
file(WRITE "${triggers}" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_CONTROL_EXTRA "${triggers}")
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" name)
  install(FILES "${desktop}/copyright" "${changelog}" COMPONENT ${component}
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${name}_PACKAGE_NAME}")
endforeach()
set(CPACK_SOURCE_GENERATOR TXZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME "kernelglass-${PROJECT_VERSION}")
set(CPACK_SOURCE_IGNORE_FILES "/\\.git/" "/\\.deps/" "${CMAKE_SOURCE_DIR}/build/" "${CMAKE_SOURCE_DIR}/out/")
include(CPack)
