#pragma once
// The selection CLIPBOARD of an X server: owned with a PNG file, and read. Source of the method: section 2 of
// the Inter-Client Communication Conventions Manual (ICCCM), version 2.0; the numbers in comments are its.

#include "app/ui/clipboard/image_clipboard.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <X11/Xlib.h> // last: it defines macros such as None

namespace kg::ui {

/// One connection to an X server. Belongs to one thread, and never waits for another program: what one of
/// them has to do is a state, and its answer an event. Errors of this connection, such as those of a
/// requestor that is gone, are ignored; so is the end of the server, see broken().
class X11Selection {
public:
    using Clock = std::chrono::steady_clock;
    /// Called with the outcome of every copy() and read().
    using Answer = std::function<void(ClipboardAnswer)>;

    /// Throws Unavailable if the server does not answer.
    explicit X11Selection(Answer answer);
    ~X11Selection();
    X11Selection(const X11Selection&) = delete;
    X11Selection& operator=(const X11Selection&) = delete;

    /// Sets the process's error handlers of Xlib to ones that ignore errors of these connections and pass
    /// others on. Before the first connection, on the thread that uses Xlib.
    static void handle_errors();

    void copy(std::shared_ptr<const std::string> png);
    /// Nothing while another read is in progress.
    void read();
    /// Asks a clipboard manager to keep what is owned. leaving() is true until it has, for 2 s at most.
    void leave();
    bool leaving() const { return leave_by_.has_value(); }

    /// Handles the events that are there, and what has timed out.
    void poll();
    int descriptor() const; ///< readable when poll() has work
    /// When poll() has work without an event; empty = never.
    std::optional<Clock::time_point> deadline() const;
    bool broken() const { return broken_; } ///< the server is gone

private:
    enum class Reading : std::uint8_t { no, begun, targets, data, chunks };
    /// A file that another program reads in chunks (2.7.2).
    struct Transfer {
        Window requestor;
        Atom property;
        std::shared_ptr<const std::string> bytes;
        std::size_t sent = 0;
        Clock::time_point deadline{};
    };
    struct Property {
        Atom type = 0;
        std::string bytes{};         ///< in format 8
        std::vector<Atom> numbers{}; ///< in format 32
    };

    void handle(const XEvent& event);
    void ask_for_time();
    void begin(Time now);
    void claim();

    void serve(const XSelectionRequestEvent& request);
    bool convert(Window requestor, Atom target, Atom property);
    bool convert_pairs(Window requestor, Atom property);
    void give(Window requestor, Atom property);
    void send_next(Window requestor, Atom property);
    void stop_transfers(const std::function<bool(const Transfer&)>& which);

    void take_selection(const XSelectionEvent& event);
    void take_targets();
    void take_data();
    void take_chunk();
    void ask(Atom target, Reading reading);
    void end_reading(ClipboardAnswer answer);
    Property take_property(Window window, Atom property, bool remove);
    void put_numbers(Window window, Atom property, Atom type, const std::vector<Atom>& numbers);
    Atom atom(const char* name) const;

    Answer answer_;
    Display* display_ = nullptr;
    bool broken_ = false;
    Window window_ = 0; ///< owner of the selection
    Time now_ = 0;      ///< the server's time at the latest request
    std::shared_ptr<const std::string> to_copy_, owned_;
    Time owned_since_ = 0;
    std::vector<Transfer> transfers_;
    std::optional<Clock::time_point> leave_by_;

    Reading reading_ = Reading::no;
    Window reader_ = 0; ///< 0 before the first read, and after one that failed
    Atom target_ = 0;
    Clock::time_point read_by_{};
    ClipboardAnswer read_;
};

} // namespace kg::ui
