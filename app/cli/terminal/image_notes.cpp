#include "app/cli/terminal/image_notes.hpp"

namespace kg {

void report_notes(const Switches& switches, const std::string& name, const LoadedImage& image) {
    report_damage(switches, name, image);
    for (const auto& note : image.notes) {
        if (is_damage_note(note)) continue;
        if (is_plain_note(image, note)) switches.detail(name + ": " + note);
        else switches.note(name + ": " + note);
    }
    for (const auto& detail : image.details) switches.detail(name + ": " + detail);
}

void report_damage(const Switches& switches, const std::string& name, const LoadedImage& image) {
    for (const auto& note : image.notes)
        if (is_damage_note(note)) switches.warning(name + ": " + note);
}

} // namespace kg
