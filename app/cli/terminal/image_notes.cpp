#include "app/cli/terminal/image_notes.hpp"

namespace kg {

void report_notes(const Switches& switches, const std::string& name, const LoadedImage& image) {
    report_damage(switches, name, image);
    for (const auto& note : image.notes)
        if (is_plain_note(image, note)) switches.detail(name + ": " + note);
        else switches.note(name + ": " + note);
    for (const auto& detail : image.details) switches.detail(name + ": " + detail);
}

void report_damage(const Switches& switches, const std::string& name, const LoadedImage& image) {
    if (!image.damage.empty()) switches.warning(name + ": " + image.damage);
}

std::vector<std::string> all_notes(const LoadedImage& image) {
    auto all = image.notes;
    if (!image.damage.empty()) all.push_back(image.damage);
    all.insert(all.end(), image.details.begin(), image.details.end());
    return all;
}

} // namespace kg
