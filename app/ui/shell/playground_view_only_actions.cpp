// The actions for looking at an image: view-only settings, and which steps the view shows.

#include "app/ui/shell/playground.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace kg::ui {

void Playground::add_view_only_actions() {
    const auto add = [this](std::string id, const std::string& name, const char* tooltip, auto edit) {
        actions_.add({.id = "view_" + std::move(id),
                      .group = ActionGroup::view,
                      .title = "View only: " + name,
                      .tooltip = tooltip,
                      .why_not = [this] { return why_no_image(); },
                      .run = [this, edit] { edit(view_->settings()); }});
    };
    for (std::size_t i = 1; i < kChannelNames.size(); ++i)
        add(lower_case(kChannelNames[i]), lower_case(kChannelNames[i]) + " alone",
            "One channel as grey, or all of them again", [i](ViewSettings& settings) {
                const auto channel = static_cast<display::PassChannel>(i);
                auto& shown = settings.colours.channel;
                shown = shown == channel ? display::PassChannel::colour : channel;
            });
    for (std::size_t i = 1; i < kMapNames.size(); ++i)
        add("map_" + lower_case(kMapNames[i]), "false colour " + std::string(kMapNames[i]),
            "Colours by the luminance or the channel, or the image's own again", [i](ViewSettings& settings) {
                const auto map = static_cast<display::PassMap>(i);
                auto& shown = settings.colours.map;
                shown = shown == map ? display::PassMap::none : map;
            });
    const auto expose = [](float stops) {
        return [stops](ViewSettings& settings) {
            constexpr auto kMost = static_cast<float>(kMostStops);
            settings.colours.exposure = std::clamp(settings.colours.exposure + stops, -kMost, kMost);
        };
    };
    add("brighter", "one stop brighter", "Linear light times two, up to eight stops", expose(1));
    add("darker", "one stop darker", "Linear light divided by two, up to eight stops", expose(-1));
    add("zebra", "zebra", "Stripes where a channel is black or white",
        [](ViewSettings& settings) { settings.colours.zebra = !settings.colours.zebra; });
    add("outside", "pixels outside the image", "What the first step reads outside the image, drawn around it",
        [](ViewSettings& settings) { settings.outside = !settings.outside; });
    actions_.add({.id = "view_reset",
                  .group = ActionGroup::view,
                  .title = "View only: reset",
                  .tooltip = "The image in its own colours",
                  .why_not =
                      [this] {
                          return shows_image() ? reason_unless(view_->settings() != ViewSettings{},
                                                               "Nothing is set for viewing only")
                                               : why_no_image();
                      },
                  .run = [this] { view_->settings() = {}; }});
}

void Playground::add_shown_steps_action() {
    actions_.add(
        {.id = "show_to_here",
         .group = ActionGroup::view,
         .title = "Show to the selected step",
         .tooltip = "The view ends at the selected step; files are always of all steps",
         .why_not =
             [this] {
                 if (!shows_image()) return why_no_image();
                 if (document_->recipe().steps.size() < 2)
                     return std::string("The recipe has one step, or none");
                 return reason_unless(document_->selected() >= 0, "Select a step of the recipe first");
             },
         .run = [this] { document_->show_to_selected(!document_->shows_to_selected()); },
         .current_title =
             [this] {
                 return document_->shows_to_selected() ? "Show all steps" : "Show to the selected step";
             }});
}

} // namespace kg::ui
