# Precompiled standard and third-party headers, which take a third of the time of a build. A source still
# includes what it uses: the preset tidy compiles without them, and so do a build with ccache, whose cache
# would otherwise be of no use in another folder, and one with sanitizers, in which GCC 12 crashes.
set(standard_headers <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <deque>
    <filesystem> <fstream> <functional> <iostream> <map> <memory> <mutex> <numeric> <optional> <random> <set>
    <span> <sstream> <stop_token> <string> <string_view> <thread> <tuple> <utility> <variant> <vector>)

if(KG_CCACHE OR KG_SANITIZE OR KG_TIDY) # Clang cannot read those of GCC
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# kg_precompile(TARGET [HEADERS...]): precompiles the standard headers and HEADERS for this target.
# kg_precompile(TARGET AS OTHER): uses those of OTHER, which must be compiled with the same options.
function(kg_precompile target)
  cmake_parse_arguments(arg "" "AS" "" ${ARGN})
  if(arg_AS)
    target_precompile_headers(${target} REUSE_FROM ${arg_AS})
  else()
    target_precompile_headers(${target} PRIVATE ${standard_headers} ${arg_UNPARSED_ARGUMENTS})
  endif()
endfunction()
