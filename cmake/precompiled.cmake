# What shortens a build: precompiled standard and third-party headers, which save a third of its time, and
# groups of sources compiled as one. A source still includes what it uses: the preset tidy compiles each
# alone, without them. A build with ccache, whose cache they would defeat, has no precompiled headers.
option(KG_GROUPS "Compile groups of sources as one, which takes less than half the time" ON)
set(KG_GROUP_SIZE 16)

set(standard_headers <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <deque>
    <filesystem> <fstream> <functional> <iostream> <map> <memory> <mutex> <numeric> <optional> <random> <set>
    <span> <sstream> <stop_token> <string> <string_view> <thread> <tuple> <utility> <variant> <vector>)

# GCC 12 crashes in precompiled headers with sanitizers, and Clang cannot read those of GCC.
if(KG_CCACHE OR KG_SANITIZE OR KG_TIDY)
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

# kg_group(TARGET [EXCEPT REGEX]): compiles its sources in groups, so a name without linkage must be
# unique among those of a room. Sources whose path matches REGEX are compiled alone: those that repeat names
# by convention (named filters, codecs, algorithms). Not for rooms that hold little else (peers), nor for
# those that Highway compiles once per instruction set.
function(kg_group target)
  cmake_parse_arguments(arg "" "EXCEPT" "" ${ARGN})
  if(KG_GROUPS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${KG_GROUP_SIZE})
    if(arg_EXCEPT)
      get_target_property(alone ${target} SOURCES)
      list(FILTER alone INCLUDE REGEX "${arg_EXCEPT}")
      set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endif()
endfunction()
