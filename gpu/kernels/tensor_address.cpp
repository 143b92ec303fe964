#include "gpu/kernels/tensor_address.hpp"

#include "core/support/error.hpp"
#include "gpu/runtime/memory.hpp"

namespace kg::gpu {

std::byte* number_address(const BufferView& view) {
    auto* const address = address_of(view);
    const auto& format = *view.tensor;
    const auto number = bytes(format.element);
    if (reinterpret_cast<std::uintptr_t>(address) % number != 0 || view.pitch % number != 0 ||
        format.column_stride % number != 0 || (format.channels > 1 && format.channel_stride % number != 0))
        throw Error("misaligned-tensor",
                    "on the GPU a tensor's numbers must begin at multiples of their size of {} bytes",
                    number);
    return address;
}

} // namespace kg::gpu
