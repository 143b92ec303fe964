# Copies the headers of the library into `destination`, the folder kernelglass/ of an installation. They
# include each other by their paths in the source tree ("core/plan/engine.hpp"); installed, these begin with
# kernelglass/, because strangers have folders called core, too.
set(headers "")
foreach(room core filters library)
  file(GLOB_RECURSE found RELATIVE "${source}" "${source}/${room}/*.hpp")
  list(APPEND headers ${found})
endforeach()
list(REMOVE_ITEM headers library/algorithm.hpp library/kernelglass.hpp)
list(APPEND headers cpu/engine.hpp cpu/runtime/host_queue.hpp cpu/runtime/workers.hpp gpu/engine.hpp)
if(with_cuda)
  list(APPEND headers gpu/runtime/access.hpp)
endif()
if(with_display)
  file(GLOB found RELATIVE "${source}" "${source}/display/*.hpp")
  list(APPEND headers ${found} display/interop/interop.hpp display/interop/stages.hpp)
endif()

# install_header(FROM NAME): NAME is its path below kernelglass/.
function(install_header from name)
  file(READ "${from}" text)
  string(REGEX REPLACE "(#include \")(core|filters|library|cpu|gpu|display)/" "\\1kernelglass/\\2/"
         text "${text}")
  file(WRITE "${destination}/${name}" "${text}")
endfunction()

file(REMOVE_RECURSE "${destination}") # of headers that no longer exist
foreach(header IN LISTS headers)
  install_header("${source}/${header}" "${header}")
endforeach()
install_header("${generated}/library/version.hpp" library/version.hpp)
foreach(umbrella algorithm kernelglass)
  install_header("${source}/library/${umbrella}.hpp" "${umbrella}.hpp")
endforeach()
