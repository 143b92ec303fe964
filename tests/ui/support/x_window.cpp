#include "tests/ui/support/x_window.hpp"

#include <vector>

#include <X11/Xlib.h>
#include <X11/Xutil.h>

namespace kg::testing {

namespace {

/// A window may vanish between two calls; Xlib would end the program.
int ignore(Display*, XErrorEvent*) { return 0; }

std::string title_of(Display* display, Window window) {
    char* name = nullptr;
    std::string title;
    if (XFetchName(display, window, &name) && name) title = name;
    if (name) XFree(name);
    return title;
}

Window search(Display* display, Window in, const std::string& part) {
    XWindowAttributes attributes{};
    if (XGetWindowAttributes(display, in, &attributes) && attributes.map_state == IsViewable &&
        title_of(display, in).find(part) != std::string::npos)
        return in;
    Window root = 0, parent = 0, *children = nullptr;
    unsigned count = 0;
    Window found = 0;
    if (!XQueryTree(display, in, &root, &parent, &children, &count)) return 0;
    for (unsigned i = 0; i < count && !found; ++i) found = search(display, children[i], part);
    if (children) XFree(children);
    return found;
}

class OpenWindow final : public XWindow {
public:
    OpenWindow(Display* display, Window window) : display_(display), window_(window) {}
    ~OpenWindow() override { XCloseDisplay(display_); }
    OpenWindow(const OpenWindow&) = delete;
    OpenWindow& operator=(const OpenWindow&) = delete;

    bool is_there() override {
        XWindowAttributes attributes{};
        return XGetWindowAttributes(display_, window_, &attributes) != 0;
    }
    unsigned long colour_at(int x, int y) override {
        auto* image = XGetImage(display_, window_, x, y, 1, 1, AllPlanes, ZPixmap);
        if (!image) return 0;
        const auto colour = XGetPixel(image, 0, 0);
        XDestroyImage(image);
        return colour;
    }
    void ask_to_close() override {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = window_;
        event.xclient.message_type = XInternAtom(display_, "WM_PROTOCOLS", False);
        event.xclient.format = 32;
        event.xclient.data.l[0] = static_cast<long>(XInternAtom(display_, "WM_DELETE_WINDOW", False));
        XSendEvent(display_, window_, False, NoEventMask, &event);
        XSync(display_, False);
    }
    void press(std::initializer_list<const char*> keys) override {
        const std::vector<const char*> names(keys);
        for (const auto* name : names) send(KeyPress, name);
        for (auto name = names.rbegin(); name != names.rend(); ++name) send(KeyRelease, *name);
        XSync(display_, False);
    }

private:
    void send(int type, const char* key) {
        XEvent event{};
        event.xkey.type = type;
        event.xkey.window = window_;
        event.xkey.root = DefaultRootWindow(display_);
        event.xkey.same_screen = True;
        event.xkey.time = ++time_;
        event.xkey.keycode = XKeysymToKeycode(display_, XStringToKeysym(key));
        XSendEvent(display_, window_, False, KeyPressMask | KeyReleaseMask, &event);
    }

    Display* display_;
    Window window_;
    Time time_ = 0;
};

} // namespace

std::unique_ptr<XWindow> XWindow::find(const std::string& part_of_title) {
    XSetErrorHandler(ignore);
    auto* display = XOpenDisplay(nullptr);
    if (!display) return nullptr;
    if (const auto window = search(display, DefaultRootWindow(display), part_of_title))
        return std::make_unique<OpenWindow>(display, window);
    XCloseDisplay(display);
    return nullptr;
}

} // namespace kg::testing
