#include "app/cli/terminal/picture_notes.hpp"

namespace kg {

void say_notes(const Switches& switches, const std::string& name, const Picture& picture) {
    say_damage(switches, name, picture);
    for (const auto& note : picture.notes) {
        if (is_damage_note(note)) continue;
        if (is_plain_note(picture, note)) switches.detail(name + ": " + note);
        else switches.note(name + ": " + note);
    }
    for (const auto& detail : picture.details) switches.detail(name + ": " + detail);
}

void say_damage(const Switches& switches, const std::string& name, const Picture& picture) {
    for (const auto& note : picture.notes)
        if (is_damage_note(note)) switches.warning(name + ": " + note);
}

} // namespace kg
