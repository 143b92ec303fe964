#pragma once
// A window of another program on the X server that DISPLAY names, treated as a window manager and a keyboard treat it.

#include <initializer_list>
#include <memory>
#include <string>

namespace kg::testing {

class XWindow {
public:
    /// The first that is visible and has this in its title; null without one.
    static std::unique_ptr<XWindow> find(const std::string& part_of_title);
    virtual ~XWindow() = default;

    virtual bool is_there() = 0;
    /// What the close button of a title bar does.
    virtual void ask_to_close() = 0;
    /// Keys by X's names, pressed in this order and let go in the opposite one.
    virtual void press(std::initializer_list<const char*> keys) = 0;
};

} // namespace kg::testing
