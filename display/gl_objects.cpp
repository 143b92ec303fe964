#include "display/gl_objects.hpp"

#include "core/support/error.hpp"

#include <string>

namespace kg::display {

namespace {

class Shader : public GlObject<Shader> {
public:
    Shader(GLenum kind, const char* text) {
        id_ = glCreateShader(kind);
        glShaderSource(id_, 1, &text, nullptr);
        glCompileShader(id_);
        GLint done = 0, length = 0;
        glGetShaderiv(id_, GL_COMPILE_STATUS, &done);
        if (done == GL_TRUE) return;
        glGetShaderiv(id_, GL_INFO_LOG_LENGTH, &length);
        std::string log(static_cast<std::size_t>(length), '\0');
        glGetShaderInfoLog(id_, length, nullptr, log.data());
        throw Error(
            "shader-rejected",
            "The graphics driver does not compile the display's shader; a newer driver may. Its log: {}",
            log);
    }
    static void destroy(GLuint id) { glDeleteShader(id); }
};

} // namespace

Program::Program(const char* vertex, const char* fragment) {
    const Shader first(GL_VERTEX_SHADER, vertex), second(GL_FRAGMENT_SHADER, fragment);
    id_ = glCreateProgram();
    glAttachShader(id_, first.id());
    glAttachShader(id_, second.id());
    glLinkProgram(id_);
    GLint done = 0, length = 0;
    glGetProgramiv(id_, GL_LINK_STATUS, &done);
    if (done == GL_TRUE) return;
    glGetProgramiv(id_, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    glGetProgramInfoLog(id_, length, nullptr, log.data());
    throw Error("shader-rejected",
                "The graphics driver does not link the display's shader; a newer driver may. Its log: {}",
                log);
}

GLint Program::uniform(const char* name) const {
    const auto location = glGetUniformLocation(id_, name);
    if (location < 0) throw Error("unknown-uniform", "The display's shader has no uniform \"{}\"", name);
    return location;
}

} // namespace kg::display
