# KgOpenCV::KgOpenCV: OpenCV's core, imgproc and imgcodecs. Debian's three small packages contain no
# OpenCVConfig.cmake; only libopencv-dev does, at 247 MB.
find_path(KgOpenCV_INCLUDE_DIR opencv2/imgcodecs.hpp PATH_SUFFIXES opencv4)
set(KgOpenCV_LIBRARIES "")
foreach(module core imgproc imgcodecs)
  find_library(KgOpenCV_${module}_LIBRARY opencv_${module})
  list(APPEND KgOpenCV_LIBRARIES "${KgOpenCV_${module}_LIBRARY}")
  list(APPEND KgOpenCV_required KgOpenCV_${module}_LIBRARY)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KgOpenCV REQUIRED_VARS KgOpenCV_INCLUDE_DIR ${KgOpenCV_required}
                                  REASON_FAILURE_MESSAGE "scripts/setup installs it")

if(KgOpenCV_FOUND AND NOT TARGET KgOpenCV::KgOpenCV)
  add_library(KgOpenCV::KgOpenCV INTERFACE IMPORTED)
  set_target_properties(KgOpenCV::KgOpenCV PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KgOpenCV_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${KgOpenCV_LIBRARIES}")
endif()
