#include "app/editor/comparison/view_state.hpp"

#include "app/editor/document/recipe_slots.hpp"
#include "core/reference/reference.hpp"

namespace kg {

std::string title(const ViewSource& source) {
    switch (source.kind) {
    case ViewSource::Kind::original: return "Original";
    case ViewSource::Kind::result: return "Result";
    case ViewSource::Kind::recipe: return "Recipe " + std::string(kSlotNames.at(source.slot));
    case ViewSource::Kind::border: return "Border " + std::string(name(source.border));
    case ViewSource::Kind::step: return "Selected step";
    case ViewSource::Kind::snippet: return std::string(title(source.library)) + ", this step";
    case ViewSource::Kind::algorithm: break;
    }
    const auto& [engine, algorithm] = source.selection;
    if (algorithm == kReferenceId) return "Reference, float64 (" + engine + ")";
    return algorithm + " (" + engine + ")";
}

} // namespace kg
