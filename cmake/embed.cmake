# kg_embed(TARGET SYMBOL FILES...): compiles files into a target as
# `extern const std::span<const EmbeddedFile> kg::SYMBOL` (core/support/embedded.hpp), so that the program
# does not depend on its location. As a script, this file writes the source: -DOUTPUT= -DSYMBOL= -DFILES=a;b
function(kg_embed target symbol)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp")
  string(REPLACE ";" "|" files "${ARGN}")
  add_custom_command(OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${source}" "-DSYMBOL=${symbol}" "-DFILES=${files}"
            -P "${CMAKE_SOURCE_DIR}/cmake/embed.cmake"
    DEPENDS ${ARGN} "${CMAKE_SOURCE_DIR}/cmake/embed.cmake"
    COMMENT "Embedding ${symbol}" VERBATIM)
  target_sources(${target} PRIVATE "${source}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  string(REPLACE "|" ";" FILES "${FILES}")
  set(entries "")
  foreach(file IN LISTS FILES)
    get_filename_component(stem "${file}" NAME_WE)
    file(READ "${file}" bytes HEX) # as bytes, so that no character needs an escape
    string(REGEX REPLACE "(..)" "\\\\x\\1" literal "${bytes}")
    string(APPEND entries "    {\"${stem}\", \"${literal}\"},\n")
  endforeach()
  file(WRITE "${OUTPUT}" "#include \"core/support/embedded.hpp\"\n
namespace kg {\n
static constexpr EmbeddedFile kFiles[] = {\n${entries}};\n
extern const std::span<const EmbeddedFile> ${SYMBOL};
const std::span<const EmbeddedFile> ${SYMBOL}(kFiles);\n
} // namespace kg\n")
endif()
