#pragma once
// The presets that a document offers: those of the program, then the user's own ones, and what the window
// asks about them.

#include "app/process/file/own_presets.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kg {

/// What a panel wants to do with own presets: the window asks for a name, or for a confirmation.
struct PresetQuestion {
    enum class Kind : std::uint8_t { save, rename, remove };
    Kind kind = Kind::save;
    std::string id{}; ///< id of an own preset; empty for save
};

class PresetList {
public:
    /// Reads the folder's presets; empty = there are none and none can be saved.
    explicit PresetList(std::filesystem::path folder);

    std::size_t size() const { return kg::presets().size() + own_.presets.size(); }
    const Preset& operator[](std::size_t i) const;
    bool is_own(std::size_t i) const { return i >= kg::presets().size(); }
    const std::vector<Preset>& own() const { return own_.presets; }
    /// One for each file that cannot be used.
    const std::vector<Error>& problems() const { return own_.problems; }
    /// Changes with every edit of the list.
    std::uint64_t version() const { return version_; }

    bool can_save() const { return !folder_.empty(); }
    // They throw Error if the file cannot be written.
    /// Returns the new preset's id.
    std::string save(const std::string& title, const std::string& group, const Recipe& recipe);
    /// The id stays, because commands use it.
    void rename(const std::string& id, const std::string& title, const std::string& group);
    void remove(const std::string& id);

    void ask(PresetQuestion question) { question_ = std::move(question); }
    std::optional<PresetQuestion> take_question() { return std::exchange(question_, {}); }

private:
    void read();

    std::filesystem::path folder_;
    OwnPresets own_;
    std::uint64_t version_ = 0;
    std::optional<PresetQuestion> question_;
};

} // namespace kg
