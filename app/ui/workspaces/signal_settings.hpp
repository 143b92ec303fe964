#pragma once
// The left column of the workspace Signal: the open signal, the preset with its parameters, how it is
// applied, and the taps as a list and one by one.

#include "app/editor/signal/signal_document.hpp"
#include "app/ui/workspaces/signal_plots.hpp"

#include <functional>
#include <string>
#include <vector>

namespace kg::ui {

/// Actions that the window performs.
struct SignalActions {
    std::function<void()> open, save;
};

class SignalSettings {
public:
    void draw(SignalDocument& document, SignalPlots& plots, const SignalActions& actions);

private:
    void draw_taps(SignalDocument& document, SignalPlots& plots);
    void draw_list(SignalDocument& document);

    std::string typed_;          ///< the text of the list
    std::vector<double> listed_; ///< the taps that `typed_` was made of
    std::string refused_;        ///< why the typed list is not used; empty = it is
};

} // namespace kg::ui
