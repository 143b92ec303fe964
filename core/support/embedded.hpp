#pragma once
// Files compiled into the program (cmake/embed.cmake generates the definitions).

#include <span>
#include <string_view>

namespace kg {

struct EmbeddedFile {
    std::string_view stem, content;
};

} // namespace kg
