# CMake's -O3 makes no engine faster, but compiling a third slower.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# kg_options: compile options of every target of this project. Third-party targets do not link it.
add_library(kg_options INTERFACE)
target_include_directories(kg_options INTERFACE "${CMAKE_SOURCE_DIR}")
# Fusing a multiplication and an addition changes results between machines; the code calls fma explicitly.
target_compile_options(kg_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wpedantic -ffp-contract=off>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow,-ffp-contract=off>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  # GCC 12 reports the same in precompiled standard headers, which it exempts otherwise. Some packages define
  # _REENTRANT, by -pthread, and macros must be the same in all sources.
  target_compile_options(kg_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-restrict>"
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow;-Wno-stringop-overread;-D_REENTRANT>")
endif()
if(KG_WERROR)
  target_compile_options(kg_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()

# For every target, including third-party ones: a sanitizer must instrument both sides of a call.
if(KG_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${KG_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>)
  add_link_options(-fsanitize=${KG_SANITIZE})
  # GCC 12 with a sanitizer reports members of <regex> as uninitialised.
  target_compile_options(kg_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()

if(KG_TIDY)
  find_program(KG_CLANG_TIDY clang-tidy REQUIRED)
endif()

function(kg_tidy target)
  if(KG_TIDY)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "${KG_CLANG_TIDY};--quiet")
  endif()
endfunction()

# kg_room(NAME SOURCES ... [LINKS ...] [PRIVATE_LINKS ...] [PRECOMPILE ...]): the static library kg_NAME.
# PRECOMPILE names headers of other libraries that most of its sources include.
# A room without sources is an interface library, so that its users can link it unconditionally.
function(kg_room name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;PRIVATE_LINKS;PRECOMPILE" ${ARGN})
  if(NOT arg_SOURCES)
    add_library(kg_${name} INTERFACE)
    target_link_libraries(kg_${name} INTERFACE kg_options ${arg_LINKS})
    return()
  endif()
  add_library(kg_${name} STATIC ${arg_SOURCES})
  target_link_libraries(kg_${name} PUBLIC kg_options ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  kg_tidy(kg_${name})
  if(arg_PRECOMPILE OR name STREQUAL core)
    kg_precompile(kg_${name} ${arg_PRECOMPILE})
  else()
    kg_precompile(kg_${name} AS kg_core)
  endif()
endfunction()

# kg_light(TARGET): a Release build optimises it little, which takes a third less time to compile. For targets
# that wait for people, and have precompiled headers of their own: GCC 12 crashes in those of another level.
function(kg_light target)
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
endfunction()
