#include "app/bench/display/texture_writer.hpp"

#include "core/support/elapsed.hpp"
#include "display/interop/objects.hpp"
#include "display/interop/pack.hpp"
#include "gpu/runtime/access.hpp"
#include "gpu/runtime/owners.hpp"

#include <array>
#include <chrono>
#include <deque>
#include <vector>

namespace kg {

namespace {

using namespace display;

using Clock = std::chrono::steady_clock;

constexpr std::array<const char*, 3> kSteps{"map", "write", "unmap"};

/// A write that the GPU may not have finished.
struct Flight {
    std::array<gpu::Event, kSteps.size() + 1> marks; ///< around the steps
    std::vector<Surface> surfaces;
    std::vector<TimedSpan> submit;
    double submit_us = 0;
};

/// Several resources, mapped by one call.
class Mapping {
public:
    Mapping(std::vector<cudaGraphicsResource_t> resources, cudaStream_t stream)
        : resources_(std::move(resources)), stream_(stream) {
        check_stage(InteropStage::map, cudaGraphicsMapResources(count(), resources_.data(), stream_),
                    "cudaGraphicsMapResources");
    }
    ~Mapping() {
        if (count() > 0 && cudaGraphicsUnmapResources(count(), resources_.data(), stream_) != cudaSuccess)
            cudaGetLastError();
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    cudaArray_t array(std::size_t which) const {
        cudaArray_t array = nullptr;
        check_stage(InteropStage::map, cudaGraphicsSubResourceGetMappedArray(&array, resources_[which], 0, 0),
                    "cudaGraphicsSubResourceGetMappedArray");
        return array;
    }
    void* memory() const {
        void* memory = nullptr;
        std::size_t bytes = 0;
        check_stage(InteropStage::map,
                    cudaGraphicsResourceGetMappedPointer(&memory, &bytes, resources_.front()),
                    "cudaGraphicsResourceGetMappedPointer");
        return memory;
    }
    void unmap() {
        auto resources = std::exchange(resources_, {});
        check_stage(InteropStage::unmap,
                    cudaGraphicsUnmapResources(static_cast<int>(resources.size()), resources.data(), stream_),
                    "cudaGraphicsUnmapResources");
    }

private:
    int count() const { return static_cast<int>(resources_.size()); }

    std::vector<cudaGraphicsResource_t> resources_;
    cudaStream_t stream_;
};

class Writer final : public TextureWriter {
public:
    Writer(std::shared_ptr<Engine> gpu, const WriteSetup& setup, Extent size, Depth depth)
        : gpu_(std::move(gpu)), setup_(setup), size_(size), depth_(depth),
          row_(static_cast<std::size_t>(size.width) * 4 * bytes(depth)),
          stream_(setup.default_stream ? cudaStreamLegacy : own_.get()) {
        const auto all = row_ * static_cast<std::size_t>(size.height);
        for (int i = 0; i < setup.textures; ++i) {
            ImageTexture texture(size, depth, true);
            if (by_buffer()) plain_ = std::move(texture);
            else textures_.push_back(std::make_unique<RegisteredTexture>(std::move(texture)));
        }
        if (by_buffer()) {
            buffer_ = PixelBuffer(all);
            registered_buffer_.emplace(buffer_);
        }
        if (setup.path == TextureWrite::copy) packed_ = allocate_view(*gpu_, {depth, 4, 3}, whole(size));
    }

    ~Writer() override {
        cudaStreamSynchronize(stream_);
        cudaGetLastError();
    }

    void write(const BufferView& pixels) override {
        auto& flight = flights_.emplace_back(begin_flight());
        try {
            enqueue(pixels, flight);
        } catch (...) {
            cudaStreamSynchronize(stream_); // objects used by a kernel must outlive it
            flights_.pop_back();
            throw;
        }
    }

    void take_over() override {
        if (!by_buffer()) return;
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_.id());
        glTextureSubImage2D(plain_.id(), 0, 0, 0, static_cast<GLsizei>(size_.width),
                            static_cast<GLsizei>(size_.height), GL_RGBA, TexelFormat::of(depth_).type,
                            nullptr);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    }

    std::optional<PresentationTimes> take_times() override {
        if (flights_.empty()) return {};
        auto& flight = flights_.front();
        const auto status = cudaEventQuery(flight.marks.back().get());
        if (status == cudaErrorNotReady) {
            cudaGetLastError();
            return {};
        }
        check_stage(InteropStage::write, status, "cudaEventQuery");
        PresentationTimes times;
        for (std::size_t i = 0; i < kSteps.size(); ++i) {
            float milliseconds = 0;
            check_stage(InteropStage::write,
                        cudaEventElapsedTime(&milliseconds, flight.marks[i].get(), flight.marks[i + 1].get()),
                        "cudaEventElapsedTime");
            times.device_parts.push_back({kSteps[i], milliseconds * 1e3});
            times.device_us += milliseconds * 1e3;
        }
        times.submit_parts = std::move(flight.submit);
        times.submit_us = flight.submit_us;
        for (auto& mark : flight.marks) events_.give(std::move(mark));
        flights_.pop_front();
        return times;
    }

    std::size_t in_flight() const override { return flights_.size(); }
    GLuint texture(int which) const override {
        return by_buffer() ? plain_.id() : textures_[static_cast<std::size_t>(which)]->texture().id();
    }

private:
    bool by_buffer() const { return setup_.path == TextureWrite::pixel_buffer; }

    Flight begin_flight() {
        const auto event = [this] { return events_.take(gpu::EventKind::timed); };
        return {{event(), event(), event(), event()}, {}, {}};
    }

    void enqueue(const BufferView& pixels, Flight& flight) {
        const auto began = Clock::now();
        std::size_t at = 0;
        const auto timed = [&](auto step) {
            const auto step_began = Clock::now();
            if (at == 0) mark(flight, 0);
            step();
            flight.submit.push_back({kSteps[at], microseconds_since(step_began)});
            mark(flight, ++at);
        };
        std::optional<Mapping> mapping;
        timed([&] { mapping.emplace(resources(), stream_); });
        timed([&] { fill(pixels, *mapping, flight); });
        timed([&] { mapping->unmap(); });
        flight.submit_us = microseconds_since(began);
    }

    void mark(Flight& flight, std::size_t which) {
        check_stage(InteropStage::write, cudaEventRecord(flight.marks[which].get(), stream_),
                    "cudaEventRecord");
    }

    std::vector<cudaGraphicsResource_t> resources() const {
        std::vector<cudaGraphicsResource_t> all;
        if (by_buffer()) all.push_back(registered_buffer_->get());
        for (const auto& texture : textures_) all.push_back(texture->registration().get());
        return all;
    }

    void fill(const BufferView& pixels, const Mapping& mapping, Flight& flight) {
        if (by_buffer()) return pack(pixels, mapping.memory());
        for (std::size_t i = 0; i < textures_.size(); ++i) {
            const auto array = mapping.array(i);
            if (setup_.path == TextureWrite::copy) {
                copy(pixels, array);
                continue;
            }
            const auto& surface = flight.surfaces.emplace_back(array);
            check_stage(InteropStage::write,
                        pack_to_surface(gpu::device_pointer(pixels), pixels.pitch, depth_,
                                        Packing::of(pixels.format, 1), whole(size_), surface.get(), stream_),
                        "the kernel that writes the texture");
        }
    }

    void copy(const BufferView& pixels, cudaArray_t array) {
        const bool as_they_are = Packing::of(pixels.format, 1).is_identity();
        if (!as_they_are) pack(pixels, gpu::device_pointer(packed_));
        check_stage(InteropStage::write,
                    cudaMemcpy2DToArrayAsync(array, 0, 0, gpu::device_pointer(as_they_are ? pixels : packed_),
                                             as_they_are ? pixels.pitch : row_, row_,
                                             static_cast<std::size_t>(size_.height), cudaMemcpyDeviceToDevice,
                                             stream_),
                    "cudaMemcpy2DToArrayAsync");
    }

    /// Texels without gaps between rows.
    void pack(const BufferView& pixels, void* to) {
        check_stage(InteropStage::write,
                    pack_to_memory(gpu::device_pointer(pixels), pixels.pitch, depth_,
                                   Packing::of(pixels.format, 1), whole(size_), to, row_, stream_),
                    "the kernel that writes the texels without gaps");
    }

    std::shared_ptr<Engine> gpu_;
    WriteSetup setup_;
    Extent size_;
    Depth depth_;
    std::size_t row_; ///< bytes of texels per row
    gpu::Stream own_{true};
    cudaStream_t stream_;
    gpu::EventPool events_;
    std::vector<std::unique_ptr<RegisteredTexture>> textures_;
    ImageTexture plain_; ///< filled from the buffer
    PixelBuffer buffer_;
    std::optional<Registration> registered_buffer_; ///< destroyed before the buffer
    BufferView packed_;
    std::deque<Flight> flights_;
};

} // namespace

std::unique_ptr<TextureWriter> make_texture_writer(std::shared_ptr<Engine> gpu, const WriteSetup& setup,
                                                   Extent size, Depth depth) {
    display::check_stage(display::InteropStage::device, cudaSetDevice(gpu::device_of(*gpu)), "cudaSetDevice");
    return std::make_unique<Writer>(std::move(gpu), setup, size, depth);
}

} // namespace kg
