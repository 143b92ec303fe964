# KgOpenCV::KgOpenCV: OpenCV's core, imgproc and imgcodecs. Debian's three small packages contain no
# OpenCVConfig.cmake; only libopencv-dev does, at 247 MB. imgcodecs is not linked but loaded when it is needed
# (app/io/codecs/opencv): KgOpenCV_imgcodecs_FILE is its name for the loader, libopencv_imgcodecs.so.406.
find_path(KgOpenCV_INCLUDE_DIR opencv2/imgcodecs.hpp PATH_SUFFIXES opencv4)
set(KgOpenCV_LIBRARIES "")
foreach(module core imgproc imgcodecs)
  find_library(KgOpenCV_${module}_LIBRARY opencv_${module})
  list(APPEND KgOpenCV_required KgOpenCV_${module}_LIBRARY)
endforeach()
set(KgOpenCV_LIBRARIES "${KgOpenCV_core_LIBRARY}" "${KgOpenCV_imgproc_LIBRARY}")
set(KgOpenCV_imgcodecs_FILE "")
if(KgOpenCV_imgcodecs_LIBRARY)
  execute_process(COMMAND "${CMAKE_READELF}" -d "${KgOpenCV_imgcodecs_LIBRARY}" OUTPUT_VARIABLE dynamic)
  if(dynamic MATCHES "SONAME[^\n]*\\[([^]]+)\\]")
    set(KgOpenCV_imgcodecs_FILE "${CMAKE_MATCH_1}")
  endif()
endif()
list(APPEND KgOpenCV_required KgOpenCV_imgcodecs_FILE)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KgOpenCV REQUIRED_VARS KgOpenCV_INCLUDE_DIR ${KgOpenCV_required}
                                  REASON_FAILURE_MESSAGE "scripts/setup installs it")

if(KgOpenCV_FOUND AND NOT TARGET KgOpenCV::KgOpenCV)
  add_library(KgOpenCV::KgOpenCV INTERFACE IMPORTED)
  set_target_properties(KgOpenCV::KgOpenCV PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KgOpenCV_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${KgOpenCV_LIBRARIES}")
endif()
