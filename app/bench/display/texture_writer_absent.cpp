// Replaces texture_writer.cpp in builds without CUDA, where no row of the benchmark writes by CUDA.

#include "app/bench/display/texture_writer.hpp"
#include "core/support/error.hpp"

namespace kg {

// NOLINTNEXTLINE(performance-unnecessary-value-param): the CUDA build keeps it
std::unique_ptr<TextureWriter> make_texture_writer(std::shared_ptr<Engine>, const WriteSetup&, Extent,
                                                   Depth) {
    throw Unavailable("built-without-cuda", "this program was built without CUDA; install its compiler with "
                                            "scripts/setup --cuda and build again");
}

} // namespace kg
