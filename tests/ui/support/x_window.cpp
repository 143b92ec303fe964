#include "tests/ui/support/x_window.hpp"

#include "tests/support/eventually.hpp"

#include <algorithm>
#include <array>
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
    bool drop(const std::string& uris, const std::function<void()>& pump) override {
        const auto source = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
        const auto self = static_cast<long>(source), copies = atom("XdndActionCopy");
        constexpr long kVersion = 5L << 24, kMiddle = 100L << 16 | 100;
        XSetSelectionOwner(display_, static_cast<Atom>(atom("XdndSelection")), source, CurrentTime);
        send("XdndEnter", {self, kVersion, atom("text/uri-list"), 0, 0});
        send("XdndPosition", {self, 0, kMiddle, CurrentTime, copies});
        bool taken = answer("XdndStatus", uris, pump);
        if (taken) {
            send("XdndDrop", {self, 0, CurrentTime, 0, 0});
            taken = answer("XdndFinished", uris, pump);
        }
        XDestroyWindow(display_, source);
        return taken;
    }
    void press(std::initializer_list<const char*> keys) override {
        const std::vector<const char*> names(keys);
        for (const auto* name : names) send(KeyPress, name);
        for (auto name = names.rbegin(); name != names.rend(); ++name) send(KeyRelease, *name);
        XSync(display_, False);
    }

private:
    long atom(const char* name) { return static_cast<long>(XInternAtom(display_, name, False)); }
    void send(const char* message, const std::array<long, 5>& data) {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = window_;
        event.xclient.message_type = static_cast<Atom>(atom(message));
        event.xclient.format = 32;
        std::ranges::copy(data, event.xclient.data.l);
        XSendEvent(display_, window_, False, NoEventMask, &event);
        XSync(display_, False);
    }
    /// Waits for the message, and gives the URIs to who asks for them. True if it accepts.
    bool answer(const char* message, const std::string& uris, const std::function<void()>& pump) {
        bool accepts = false;
        const auto came = [&] {
            pump();
            while (XPending(display_) > 0) {
                XEvent event;
                XNextEvent(display_, &event);
                if (event.type == SelectionRequest) hand_over(event.xselectionrequest, uris);
                if (event.type != ClientMessage ||
                    event.xclient.message_type != static_cast<Atom>(atom(message)))
                    continue;
                accepts = (event.xclient.data.l[1] & 1) != 0;
                return true;
            }
            return false;
        };
        return eventually(came) && accepts;
    }
    void hand_over(const XSelectionRequestEvent& request, const std::string& uris) {
        XChangeProperty(display_, request.requestor, request.property, request.target, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(uris.data()), static_cast<int>(uris.size()));
        XEvent event{};
        event.xselection = {SelectionNotify,
                            0,
                            False,
                            display_,
                            request.requestor,
                            request.selection,
                            request.target,
                            request.property,
                            request.time};
        XSendEvent(display_, request.requestor, False, NoEventMask, &event);
        XSync(display_, False);
    }
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
