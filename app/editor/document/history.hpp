#pragma once
// Undo and redo: recipes and output settings, not pixels, zoom or engine. A drag is one entry with a name.

#include "filters/recipe.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kg {

/// The editable state. `origins` has one entry per step: the named step that a custom step was edited from.
struct EditState {
    Recipe recipe;
    std::vector<std::optional<Step>> origins;

    bool operator==(const EditState&) const = default;
};

/// A recipe whose custom steps have no origin.
inline EditState unedited(const Recipe& recipe) {
    return {recipe, std::vector<std::optional<Step>>(recipe.steps.size())};
}

/// "Gaussian sigma 1.5 to 2.4", "Add Sobel edges", "Border reflect101 to wrap".
std::string describe_change(const EditState& before, const EditState& after);

/// Of any state that can be compared; describe_change(before, after) names an entry.
template <typename State>
class HistoryOf {
public:
    /// Records one edit. With `continues` it joins the previous entry until that is sealed: a drag is one
    /// entry. `name` replaces the text of describe_change().
    void record(const State& before, const State& after, bool continues, const std::string& name = {}) {
        if (before == after) return;
        entries_.resize(place_);
        if (continues && open_ && place_ > 0) {
            entries_.back().after = after;
            if (entries_.back().before == after) { // the drag returned to its start
                entries_.pop_back();
                open_ = false;
            }
        } else {
            entries_.push_back({before, after, name});
            open_ = continues;
        }
        place_ = entries_.size();
    }
    /// Ends a drag: the next edit is a new entry.
    void seal() { open_ = false; }

    bool can_undo() const { return place_ > 0; }
    bool can_redo() const { return place_ < entries_.size(); }
    std::string undo_name() const { return can_undo() ? name(entries_[place_ - 1]) : std::string(); }
    std::string redo_name() const { return can_redo() ? name(entries_[place_]) : std::string(); }
    /// The state to restore. Requires can_undo() or can_redo().
    const State& undo() {
        open_ = false;
        return entries_[--place_].before;
    }
    const State& redo() {
        open_ = false;
        return entries_[place_++].after;
    }

private:
    struct Entry {
        State before, after;
        std::string name; ///< empty = describe_change()
    };
    static std::string name(const Entry& entry) {
        return entry.name.empty() ? describe_change(entry.before, entry.after) : entry.name;
    }

    std::vector<Entry> entries_;
    std::size_t place_ = 0; ///< entries before it can be undone, the others redone
    bool open_ = false;
};
using History = HistoryOf<EditState>;

} // namespace kg
