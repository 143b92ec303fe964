#include "app/editor/document/preset_list.hpp"

namespace kg {

PresetList::PresetList(std::filesystem::path folder) : folder_(std::move(folder)) {
    if (!folder_.empty()) read();
}

void PresetList::read() {
    own_ = read_own_presets(folder_);
    ++version_;
}

const Preset& PresetList::operator[](std::size_t i) const {
    const auto shipped = kg::presets();
    return i < shipped.size() ? shipped[i] : own_.presets.at(i - shipped.size());
}

std::string PresetList::save(const std::string& title, const std::string& group, const Recipe& recipe) {
    auto id = save_own_preset(folder_, title, group, recipe).id;
    read();
    return id;
}

void PresetList::rename(const std::string& id, const std::string& title, const std::string& group) {
    auto preset = read_own_preset(folder_, id);
    preset.title = title;
    preset.group = group;
    write_own_preset(folder_, preset);
    read();
}

void PresetList::remove(const std::string& id) {
    remove_own_preset(folder_, id);
    read();
}

} // namespace kg
