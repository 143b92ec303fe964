#include "app/bench/display/trial.hpp"

#include "core/support/error.hpp"
#include "display/read_back.hpp"
#include "display/renderer.hpp"
#include "gpu/engine.hpp"
#include "measure/noise.hpp"

#include <algorithm>
#include <cstring>

namespace kg {

namespace {

std::string at(const char* what, std::int64_t x, std::int64_t y) {
    return std::string("wrong pixels: ") + what + " at " + std::to_string(x) + "," + std::to_string(y) +
           " differs from the computed result";
}

/// Alpha of a texel whose image has none.
std::uint32_t white(Depth depth) {
    const float one = 1;
    std::uint32_t bits = 0;
    switch (depth) {
    case Depth::u8: return 0xff;
    case Depth::u16: return 0xffff;
    case Depth::f16: return 0x3c00;
    case Depth::f32: std::memcpy(&bits, &one, sizeof bits); return bits;
    case Depth::f64: break; // only between steps
    }
    return bits;
}

/// Compares at one image pixel per pixel of the view.
std::string drawn_difference(Screen& screen, const display::DisplayImage& image,
                             const ConstImageView& pixels) {
    const auto view = screen.view();
    display::PassSettings settings;
    const display::Point middle{static_cast<double>(pixels.size.width) / 2,
                                static_cast<double>(pixels.size.height) / 2};
    settings.view = display::ViewTransform::actual(middle, view).snapped();
    const auto drawn = screen.texels_of(screen.pass().draw(view, {}, display_pass_image(image), settings),
                                        view, Depth::u8);
    const auto left = static_cast<std::int64_t>(settings.view.origin.x),
               top = static_cast<std::int64_t>(settings.view.origin.y);
    for (std::int64_t y = std::max<std::int64_t>(top, 0); y < std::min(view.height, top + pixels.size.height);
         ++y)
        for (std::int64_t x = std::max<std::int64_t>(left, 0);
             x < std::min(view.width, left + pixels.size.width); ++x)
            if (std::memcmp(drawn.view().row<std::byte>(y) + x * 4,
                            pixels.row<std::byte>(y - top) + (x - left) * 4, 3) != 0)
                return at("the view", x, y);
    return {};
}

} // namespace

void Samples::add(std::string_view figure, double us) {
    auto found = std::ranges::find(all_, figure,
                                   [](const auto& named) { return std::string_view(named.first); });
    if (found == all_.end()) found = all_.insert(all_.end(), {std::string(figure), {}});
    found->second.push_back(us);
}

std::vector<DisplayFigure> Samples::figures() const {
    std::vector<DisplayFigure> figures;
    for (const auto& [figure, us] : all_) figures.push_back({figure, measure::summarize(us)});
    return figures;
}

double Samples::fraction_within(std::string_view figure, double limit) const {
    for (const auto& [named, us] : all_)
        if (named == figure)
            return static_cast<double>(std::ranges::count_if(us, [&](double v) { return v <= limit; })) /
                   static_cast<double>(us.size());
    return 0;
}

Screen::Screen(std::shared_ptr<Engine> engine, Timeout timeout)
    : timeout_(std::move(timeout)), engine_(std::move(engine)), queue_(engine_->queue()),
      interop_(std::make_shared<display::DisplayRoute>(display::DisplayMode::automatic,
                                                       gpu::is_cuda(*engine_) ? engine_ : nullptr)),
      host_(std::make_shared<display::DisplayRoute>(display::DisplayMode::host, nullptr)) {
    if (display::Renderer::current().is_software())
        view_ = {640, 360}; // software rendering takes a third of a second for the large view
    if (interop_->interop_for(*engine_)) return;
    no_interop_ = interop_->badge(*engine_).explanation;
    interop_.reset();
}

const Image& Screen::image(Extent size, const PixelFormat& format) {
    if (image_.empty() || image_.size() != size || image_.format() != format)
        image_ = measure::noise_image(size, format);
    return image_;
}

BufferView Screen::on_engine(const Image& image) {
    auto pixels = allocate_view(*engine_, image.format(), whole(image.size()));
    queue_->upload(image.view(), pixels);
    timeout_.until_done("the upload of an image", queue_->fence());
    return pixels;
}

Image Screen::from_engine(const BufferView& pixels) {
    Image image({pixels.covers.width, pixels.covers.height}, pixels.format);
    queue_->download(pixels, image.view());
    timeout_.until_done("the download of a result", queue_->fence());
    return image;
}

void Screen::finish_drawing() const {
    const display::DrawingFence fence;
    timeout_.until("OpenGL's drawing", [&] { return fence.is_over(); });
}

Image Screen::texels_of(GLuint texture, Extent size, Depth depth) const {
    finish_drawing(); // reading waits as well, but without a timeout
    return display::read_texture(texture, size, depth);
}

double Screen::finish_timed() {
    finish_drawing();
    double us = 0;
    while (const auto drawn = timer_.take()) us = drawn->microseconds;
    return us;
}

void wait_until_shown(const Screen& screen, display::DisplayImage& image, std::uint64_t serial,
                      bool interop) {
    screen.timeout().until("the presentation of a result", [&] {
        if (image.poll() && image.shown().serial == serial) return true;
        if (!image.busy())
            throw Error("presentation-given-up", "the presentation of the result was given up");
        return false;
    });
    if (image.is_interop() != interop)
        throw Error("other-presentation-path", "the result took another presentation path: {}",
                    image.badge().explanation);
}

display::PresentationTimes times_of(const Screen& screen, display::DisplayImage& image) {
    std::optional<display::PresentationTimes> times;
    screen.timeout().until("a presentation", [&] {
        image.poll();
        while ((times = image.take_times()))
            if (times->serial == image.shown().serial) return true;
        return false;
    });
    return std::move(*times);
}

double gl_time_of(display::DisplayImage& image) {
    double us = 0;
    while (const auto time = image.take_gl_time())
        if (time->serial == image.shown().serial) us = time->microseconds;
    return us;
}

std::string texture_difference(const Screen& screen, GLuint texture, const ConstImageView& image) {
    const auto texels = screen.texels_of(texture, image.size, image.format.depth);
    const auto sample = bytes(image.format.depth), texel = 4 * sample, pixel = bytes_per_pixel(image.format);
    const auto opaque = white(image.format.depth);
    for (std::int64_t y = 0; y < image.size.height; ++y) {
        const auto *from = image.row<std::byte>(y), *to = texels.view().row<std::byte>(y);
        if (image.format.alpha == 3 &&
            std::memcmp(from, to, static_cast<std::size_t>(image.size.width) * texel) == 0)
            continue;
        for (std::int64_t x = 0; x < image.size.width; ++x, from += pixel, to += texel) {
            const void* alpha = image.format.alpha == 3 ? from + 3 * sample
                                                        : reinterpret_cast<const std::byte*>(&opaque);
            if (std::memcmp(from, to, 3 * sample) != 0 || std::memcmp(alpha, to + 3 * sample, sample) != 0)
                return at("the texture", x, y);
        }
    }
    return {};
}

display::PassImage display_pass_image(const display::DisplayImage& image) {
    const auto shown = image.shown();
    return {image.texture(), shown.serial, shown.size, shown.texture_size, shown.reduction, shown.format};
}

std::string difference(Screen& screen, const display::DisplayImage& image, const ConstImageView& pixels) {
    if (image.shown().texture_size != pixels.size) return "its texture is smaller than the image";
    auto text = texture_difference(screen, image.texture(), pixels);
    if (text.empty() && pixels.format.depth == Depth::u8 && pixels.format.alpha < 0)
        text = drawn_difference(screen, image, pixels);
    return text;
}

} // namespace kg
