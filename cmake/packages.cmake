# Debian's packages as imported targets. No other file of the project searches for packages. scripts/setup
# installs them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
if(KG_PROGRAM)
  find_package(CLI11 REQUIRED)
  find_package(KgOpenCV REQUIRED)
  # Image files: formats that OpenCV does not read faithfully (see app/io/codecs), colour profiles, metadata.
  pkg_check_modules(IMAGES REQUIRED IMPORTED_TARGET
                    libpng zlib libdeflate libjpeg libtiff-4 OpenEXR lcms2 expat)
  pkg_check_modules(XXHASH REQUIRED libxxhash) # only its header (app/process/file/hash.cpp)
  pkg_check_modules(EXIV2 IMPORTED_TARGET exiv2)
  option(KG_EXIV2 "Preserve EXIF with Exiv2 (GPL, which then applies to the binaries)" "${EXIV2_FOUND}")
  if(KG_EXIV2 AND NOT EXIV2_FOUND)
    message(FATAL_ERROR
            "KG_EXIV2 is ON but Exiv2 is not installed. Run scripts/setup, or set KG_EXIV2=OFF.")
  endif()
endif()
if(KG_PROGRAM AND KG_GL)
  pkg_check_modules(EPOXY REQUIRED IMPORTED_TARGET epoxy)
  pkg_check_modules(FREETYPE REQUIRED IMPORTED_TARGET freetype2)
  pkg_check_modules(XLIB IMPORTED_TARGET x11) # not required: images on the clipboard (app/ui/clipboard)
endif()
if(KG_TESTS)
  find_package(GTest REQUIRED)
endif()
