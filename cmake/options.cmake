# kg_options: what every target of ours is compiled with. Third-party targets do not link it.
add_library(kg_options INTERFACE)
target_include_directories(kg_options INTERFACE "${CMAKE_SOURCE_DIR}")
# Fusing a multiply and an add changes results between machines; where it is meant, the code says fma (semantics 13).
target_compile_options(kg_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wpedantic -ffp-contract=off>)
if(KG_WERROR)
  target_compile_options(kg_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(KG_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${KG_SANITIZE}> $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=${KG_SANITIZE})
endif()
if(KG_TIDY)
  find_program(KG_CLANG_TIDY clang-tidy REQUIRED)
endif()

# kg_room(NAME LINKS ... SOURCES ...): a static library named kg_NAME.
function(kg_room name)
  cmake_parse_arguments(arg "" "" "LINKS;SOURCES" ${ARGN})
  add_library(kg_${name} STATIC ${arg_SOURCES})
  target_link_libraries(kg_${name} PUBLIC kg_options ${arg_LINKS})
  if(KG_TIDY)
    set_target_properties(kg_${name} PROPERTIES CXX_CLANG_TIDY "${KG_CLANG_TIDY}")
  endif()
endfunction()
