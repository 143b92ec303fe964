// For the palette: every border and every output setting of the recipe by its name.

#include "app/editor/document/alpha_titles.hpp"
#include "app/editor/document/border_choice.hpp"
#include "app/ui/shell/playground.hpp"
#include "core/support/capital.hpp"
#include "core/support/text.hpp"

#include <functional>
#include <string>
#include <utility>

namespace kg::ui {

void Playground::add_setting_actions() {
    const auto add = [this](std::string id, std::string title, std::string tooltip,
                            std::function<void(Recipe&)> edit) {
        actions_.add({.id = "set_" + std::move(id),
                      .group = ActionGroup::recipe,
                      .title = std::move(title),
                      .tooltip = std::move(tooltip),
                      .why_not =
                          [this, edit] {
                              if (!shows_image()) return why_no_image();
                              auto edited = document_->recipe();
                              edit(edited);
                              return reason_unless(edited != document_->recipe(), "It is set");
                          },
                      .run = [this, edit] { document_->change(edit); }});
    };
    for (const auto border : kBorderChoices)
        add("border_" + std::string(name(border)), "Border " + std::string(name(border)),
            "What lies outside the image", [border](Recipe& recipe) { choose_border(recipe, border); });
    for (const auto light : {Light::stored, Light::linear})
        add("light_" + std::string(name(light)), "Light " + std::string(name(light)),
            "Sum the stored numbers, or linear light", [light](Recipe& recipe) { recipe.light = light; });
    for (const auto alpha : {AlphaMode::premultiplied, AlphaMode::straight, AlphaMode::keep})
        add("alpha_" + std::string(name(alpha)),
            "Alpha " + lower_case(kAlphaTitles[static_cast<std::size_t>(alpha)]) + " (" +
                std::string(name(alpha)) + ")",
            "Colours weighted by alpha; alpha like a colour; or alpha copied",
            [alpha](Recipe& recipe) { recipe.alpha = alpha; });
    for (const auto sign : {SignedMode::clamp, SignedMode::absolute, SignedMode::half, SignedMode::keep})
        add("signed_" + std::string(name(sign)), "Signed " + std::string(name(sign)),
            "What becomes of results below 0", [sign](Recipe& recipe) { recipe.sign = sign; });
    add("depth_input", "Depth as in the input", "The result has the number type of the image",
        [](Recipe& recipe) { recipe.depth.reset(); });
    for (const auto depth : {Depth::u8, Depth::u16, Depth::f16, Depth::f32})
        add("depth_" + std::string(name(depth)), "Depth " + upper_case(name(depth)),
            "Number type of the result", [depth](Recipe& recipe) { recipe.depth = depth; });
}

} // namespace kg::ui
