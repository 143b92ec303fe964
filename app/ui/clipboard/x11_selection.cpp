#include "app/ui/clipboard/x11_selection.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <set>
#include <utility>

#include <X11/Xatom.h>

namespace kg::ui {

namespace {

using namespace std::chrono_literals;

constexpr auto kTimeout = 2s;          ///< for another program's answer, and for each chunk
constexpr auto kTransferTimeout = 10s; ///< for a requestor to read a chunk
/// Larger files are read in chunks of this size. Far below the largest request, so that a server in between
/// serves others too.
constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::size_t kMostBytes = std::size_t{1} << 30; ///< the most that is read

constexpr const char* kPng = "image/png";
/// What is read, best first: formats without loss, then JPEG; then files that are not open yet.
constexpr std::array kReadTypes{kPng, "image/tiff", "image/bmp", "image/jpeg", "text/uri-list"};

// Properties of this program.
constexpr const char *kTime = "KERNELGLASS_TIME", *kData = "KERNELGLASS_DATA", *kSaved = "KERNELGLASS_SAVED";

struct {
    std::mutex mutex;
    std::set<const Display*> all;
} own_displays;

bool is_own(const Display* display) {
    const std::lock_guard lock(own_displays.mutex);
    return own_displays.all.contains(display);
}

std::atomic<XErrorHandler> handler_of_others = nullptr;
std::atomic<XIOErrorHandler> io_handler_of_others = nullptr;

int handle_error(Display* display, XErrorEvent* event) {
    const auto handler = handler_of_others.load();
    return is_own(display) || !handler ? 0 : handler(display, event);
}

/// The end of the server. The default handler ends the program; after this one the display's exit handler
/// runs.
int handle_io_error(Display* display) {
    const auto handler = io_handler_of_others.load();
    return is_own(display) || !handler ? 0 : handler(display);
}

/// Whether a time of the server is at or after another one: both wrap around after 49 days.
bool is_since(Time time, Time begin) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(time) - static_cast<std::uint32_t>(begin)) >=
           0;
}

} // namespace

void X11Selection::handle_errors() {
    XInitThreads(); // by itself since libX11 1.8
    const auto before = XSetErrorHandler(handle_error);
    if (before != handle_error) handler_of_others = before;
    const auto io_before = XSetIOErrorHandler(handle_io_error);
    if (io_before != handle_io_error) io_handler_of_others = io_before;
}

X11Selection::X11Selection(Answer answer) : answer_(std::move(answer)), display_(XOpenDisplay(nullptr)) {
    if (!display_)
        throw Unavailable("no-display", "The X server {} does not answer, through which images are copied.",
                          XDisplayName(nullptr));
    {
        const std::lock_guard lock(own_displays.mutex);
        own_displays.all.insert(display_);
    }
    // Otherwise the end of the server, which a window under Wayland survives, would end the program.
    XSetIOErrorExitHandler(
        display_, [](Display*, void* broken) { *static_cast<bool*>(broken) = true; }, &broken_);
    window_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
    XSelectInput(display_, window_, PropertyChangeMask);
}

X11Selection::~X11Selection() {
    XCloseDisplay(display_);
    const std::lock_guard lock(own_displays.mutex);
    own_displays.all.erase(display_);
}

// --- requests of the window

void X11Selection::copy(std::shared_ptr<const std::string> png) {
    to_copy_ = std::move(png);
    ask_for_time();
}

void X11Selection::read() {
    if (reading_ != Reading::no) return;
    reading_ = Reading::begun;
    read_by_ = Clock::now() + kTimeout;
    ask_for_time();
}

/// Requests need a time of the server, not CurrentTime (2.1): it comes with the notification of appending
/// nothing to a property.
void X11Selection::ask_for_time() {
    XChangeProperty(display_, window_, atom(kTime), XA_INTEGER, 8, PropModeAppend, nullptr, 0);
}

void X11Selection::begin(Time now) {
    now_ = now;
    if (to_copy_) claim();
    if (reading_ != Reading::begun) return;
    if (owned_) return end_reading({ClipboardAnswer::To::read, kPng, *owned_});
    if (reader_ == 0) {
        reader_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
        XSelectInput(display_, reader_, PropertyChangeMask);
    }
    ask(atom("TARGETS"), Reading::targets);
}

void X11Selection::claim() {
    const auto clipboard = atom("CLIPBOARD");
    XSetSelectionOwner(display_, clipboard, window_, now_);
    auto png = std::exchange(to_copy_, nullptr);
    ClipboardAnswer answer{.to = ClipboardAnswer::To::copy};
    if (XGetSelectionOwner(display_, clipboard) == window_) {
        owned_ = std::move(png);
        owned_since_ = now_;
    } else {
        answer.error = Error("clipboard-taken", "Another program has copied something at this moment.");
    }
    answer_(std::move(answer));
}

/// As the Clipboard Manager specification of freedesktop.org has it: the manager converts the targets that a
/// property of the window names, and then owns the selection.
void X11Selection::leave() {
    const auto manager = atom("CLIPBOARD_MANAGER");
    if (!owned_ || XGetSelectionOwner(display_, manager) == None) return;
    put_numbers(window_, atom(kSaved), XA_ATOM, {atom(kPng)});
    XConvertSelection(display_, manager, atom("SAVE_TARGETS"), atom(kSaved), window_, CurrentTime);
    leave_by_ = Clock::now() + kTimeout;
}

// --- events

void X11Selection::poll() {
    const auto now = Clock::now();
    stop_transfers([now](const Transfer& transfer) { return now >= transfer.deadline; });
    if (broken_ || (leave_by_ && now >= *leave_by_)) leave_by_.reset();
    if (reading_ != Reading::no && now >= read_by_)
        end_reading({.error = Error("clipboard-timeout",
                                    "The program that copied the image does not answer; copy it again.")});
    while (!broken_ && XPending(display_) > 0) { // last: it also flushes
        XEvent event;
        XNextEvent(display_, &event);
        if (!broken_) handle(event);
    }
    if (!broken_) return;
    leave_by_.reset();
    const Error ended("no-display", "The X server, through which images are copied, has ended.");
    if (std::exchange(to_copy_, nullptr)) answer_({.to = ClipboardAnswer::To::copy, .error = ended});
    if (reading_ != Reading::no) end_reading({.error = ended});
}

void X11Selection::handle(const XEvent& event) {
    switch (event.type) {
    case SelectionRequest: return serve(event.xselectionrequest);
    case SelectionNotify: return take_selection(event.xselection);
    case SelectionClear: // perhaps of an earlier claim than the latest one
        if (XGetSelectionOwner(display_, atom("CLIPBOARD")) != window_) owned_.reset();
        return;
    case DestroyNotify:
        return stop_transfers([gone = event.xdestroywindow.window](const Transfer& transfer) {
            return transfer.requestor == gone;
        });
    case PropertyNotify: {
        const auto& change = event.xproperty;
        if (change.state == PropertyDelete) return send_next(change.window, change.atom);
        if (change.window == window_ && change.atom == atom(kTime)) return begin(change.time);
        if (change.window == reader_ && change.atom == atom(kData) && reading_ == Reading::chunks)
            take_chunk();
        return;
    }
    default: return;
    }
}

int X11Selection::descriptor() const { return ConnectionNumber(display_); }

std::optional<X11Selection::Clock::time_point> X11Selection::deadline() const {
    auto next = Clock::time_point::max();
    if (leave_by_) next = *leave_by_;
    if (reading_ != Reading::no) next = std::min(next, read_by_);
    for (const auto& transfer : transfers_) next = std::min(next, transfer.deadline);
    if (next == Clock::time_point::max()) return {};
    return next;
}

// --- the owner (2.2, 2.6, 2.7)

/// Answers every request; a refusal has no property.
void X11Selection::serve(const XSelectionRequestEvent& request) {
    // Obsolete clients name no property (2.2).
    const auto property = request.property == None ? request.target : request.property;
    const bool owns = owned_ && request.selection == atom("CLIPBOARD") &&
                      (request.time == CurrentTime || is_since(request.time, owned_since_));
    XEvent answer{};
    answer.xselection.type = SelectionNotify;
    answer.xselection.requestor = request.requestor;
    answer.xselection.selection = request.selection;
    answer.xselection.target = request.target;
    answer.xselection.time = request.time;
    const bool multiple = request.target == atom("MULTIPLE");
    const bool done = owns &&
                      (multiple ? request.property != None && convert_pairs(request.requestor, property)
                                : convert(request.requestor, request.target, property));
    answer.xselection.property = done ? property : Atom{None};
    XSendEvent(display_, request.requestor, False, NoEventMask, &answer);
}

bool X11Selection::convert(Window requestor, Atom target, Atom property) {
    if (target == atom("TARGETS"))
        put_numbers(requestor, property, XA_ATOM,
                    {atom("TARGETS"), atom("MULTIPLE"), atom("TIMESTAMP"), atom(kPng)});
    else if (target == atom("TIMESTAMP")) put_numbers(requestor, property, XA_INTEGER, {owned_since_});
    else if (target == atom(kPng)) give(requestor, property);
    else return false;
    return true;
}

/// Pairs of target and property; a property whose target is refused becomes None (2.6.2).
bool X11Selection::convert_pairs(Window requestor, Atom property) {
    auto pairs = take_property(requestor, property, false).numbers;
    if (pairs.empty() || pairs.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < pairs.size(); i += 2)
        if (pairs[i + 1] == None || !convert(requestor, pairs[i], pairs[i + 1])) pairs[i + 1] = None;
    put_numbers(requestor, property, atom("ATOM_PAIR"), pairs);
    return true;
}

/// At once, or from INCR on in chunks (2.7.2).
void X11Selection::give(Window requestor, Atom property) {
    stop_transfers([&](const Transfer& transfer) {
        return transfer.requestor == requestor && transfer.property == property;
    });
    if (owned_->size() <= kChunk) {
        XChangeProperty(display_, requestor, property, atom(kPng), 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(owned_->data()),
                        static_cast<int>(owned_->size()));
        return;
    }
    // Before the property is written, so that no deletion of it is missed.
    XSelectInput(display_, requestor, PropertyChangeMask | StructureNotifyMask);
    put_numbers(requestor, property, atom("INCR"), {owned_->size()});
    transfers_.push_back({requestor, property, owned_, 0, Clock::now() + kTransferTimeout});
}

/// The requestor has deleted the property. The last chunk is empty.
void X11Selection::send_next(Window requestor, Atom property) {
    const auto transfer = std::ranges::find_if(transfers_, [&](const Transfer& other) {
        return other.requestor == requestor && other.property == property;
    });
    if (transfer == transfers_.end()) return;
    const auto bytes = transfer->bytes;
    const auto begin = transfer->sent, size = std::min(kChunk, bytes->size() - begin);
    XChangeProperty(display_, requestor, property, atom(kPng), 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(bytes->data()) + begin, static_cast<int>(size));
    transfer->sent += size;
    transfer->deadline = Clock::now() + kTransferTimeout;
    if (size > 0) return;
    stop_transfers(
        [&](const Transfer& other) { return other.requestor == requestor && other.property == property; });
}

void X11Selection::stop_transfers(const std::function<bool(const Transfer&)>& which) {
    const auto stopped = std::stable_partition(transfers_.begin(), transfers_.end(),
                                               [&](const Transfer& transfer) { return !which(transfer); });
    for (auto i = stopped; i != transfers_.end(); ++i)
        if (std::none_of(transfers_.begin(), stopped,
                         [&](const Transfer& other) { return other.requestor == i->requestor; }))
            XSelectInput(display_, i->requestor, NoEventMask);
    transfers_.erase(stopped, transfers_.end());
}

// --- the requestor (2.4, 2.7)

void X11Selection::ask(Atom target, Reading reading) {
    reading_ = reading;
    target_ = target;
    read_by_ = Clock::now() + kTimeout;
    XConvertSelection(display_, atom("CLIPBOARD"), target, atom(kData), reader_, now_);
}

void X11Selection::take_selection(const XSelectionEvent& event) {
    if (event.selection == atom("CLIPBOARD_MANAGER")) return leave_by_.reset();
    if (event.requestor != reader_ || event.target != target_) return;
    if (reading_ == Reading::targets) {
        if (event.property == None) end_reading({}); // nobody has copied anything
        else take_targets();
    } else if (reading_ == Reading::data) {
        if (event.property != None) return take_data();
        end_reading({.error = Error("clipboard-refused",
                                    "The program that copied the image does not give it; copy it again.")});
    }
}

void X11Selection::take_targets() {
    const auto offered = take_property(reader_, atom(kData), true).numbers;
    for (const auto* type : kReadTypes) {
        if (std::ranges::find(offered, atom(type)) == offered.end()) continue;
        read_.type = type;
        return ask(atom(type), Reading::data);
    }
    end_reading({});
}

/// Its deletion is what the chunks begin with (2.7.2).
void X11Selection::take_data() {
    auto data = take_property(reader_, atom(kData), true);
    if (data.type == atom("INCR")) {
        reading_ = Reading::chunks;
        read_by_ = Clock::now() + kTimeout;
        return;
    }
    read_.bytes = std::move(data.bytes);
    end_reading(std::move(read_));
}

void X11Selection::take_chunk() {
    const auto chunk = take_property(reader_, atom(kData), true).bytes;
    if (chunk.empty()) return end_reading(std::move(read_));
    read_by_ = Clock::now() + kTimeout;
    if (read_.bytes.size() + chunk.size() <= kMostBytes) {
        read_.bytes += chunk;
        return;
    }
    end_reading(
        {.error = Error("file-too-large", "The image on the clipboard has more than {} bytes.", kMostBytes)});
}

/// After an error the next read has another window: late answers do not reach it. The window stays, because
/// they would find none and end an owner that does not expect it.
void X11Selection::end_reading(ClipboardAnswer answer) {
    if (answer.error) reader_ = 0;
    reading_ = Reading::no;
    read_ = {};
    answer_(std::move(answer));
}

// --- properties

X11Selection::Property X11Selection::take_property(Window window, Atom property, bool remove) {
    Property found;
    int format = 0;
    unsigned long count = 0, left = 0;
    unsigned char* data = nullptr;
    if (XGetWindowProperty(display_, window, property, 0, static_cast<long>(kMostBytes / 4),
                           remove ? True : False, AnyPropertyType, &found.type, &format, &count, &left,
                           &data) != Success)
        return found;
    if (format == 8) found.bytes.assign(reinterpret_cast<const char*>(data), count);
    const auto* numbers = reinterpret_cast<const Atom*>(data); // Xlib has 32 bits in a long
    if (format == 32) found.numbers.assign(numbers, numbers + count);
    if (data) XFree(data);
    return found;
}

void X11Selection::put_numbers(Window window, Atom property, Atom type, const std::vector<Atom>& numbers) {
    XChangeProperty(display_, window, property, type, 32, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(numbers.data()), static_cast<int>(numbers.size()));
}

/// Xlib keeps the atoms that it has asked for.
Atom X11Selection::atom(const char* name) const { return XInternAtom(display_, name, False); }

} // namespace kg::ui
