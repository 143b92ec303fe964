# kg_shaders(TARGET): embeds the GLSL files in shaders/ into TARGET as text, so that the program is a single
# file. shaders/NAME.EXT becomes the constant kg::shaders::NAME_EXT of "shaders/embedded.hpp".
function(kg_shaders target)
  set(folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../shaders")
  file(GLOB shaders CONFIGURE_DEPENDS "${folder}/*.vert" "${folder}/*.frag")
  set(constants "")
  foreach(shader ${shaders})
    get_filename_component(name "${shader}" NAME)
    string(REPLACE "." "_" name "${name}")
    file(READ "${shader}" text)
    string(APPEND constants "inline constexpr const char* ${name} = R\"glsl(${text})glsl\";\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${shader}")
  endforeach()
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/shaders/embedded.hpp" @ONLY NEWLINE_STYLE UNIX
       CONTENT "#pragma once\nnamespace kg::shaders {\n@constants@}\n")
  target_include_directories(${target} PRIVATE "${CMAKE_BINARY_DIR}/generated")
endfunction()
