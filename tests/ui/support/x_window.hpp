#pragma once
// A window of another program on the X server of DISPLAY, controlled as by a window manager and a keyboard.

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>

namespace kg::testing {

class XWindow {
public:
    /// The first visible window with this in its title; null without one.
    static std::unique_ptr<XWindow> find(const std::string& part_of_title);
    virtual ~XWindow() = default;

    virtual bool is_there() = 0;
    /// The colour of a pixel as it is shown; 0 while it cannot be read.
    virtual unsigned long colour_at(int x, int y) = 0;
    /// Asks the window to close, as its close button does.
    virtual void ask_to_close() = 0;
    /// Presses keys by their X names in this order, and releases them in reverse.
    virtual void press(std::initializer_list<const char*> keys) = 0;
    /// Drops these URIs, each on a line, onto the window, as a file manager does (XDND, version 5). `pump`
    /// lets the window's program process its events. False if it does not take the drop.
    virtual bool drop(const std::string& uris, const std::function<void()>& pump) = 0;
};

} // namespace kg::testing
