// Every template argument multiplies the kernels: the device code of one architecture stays within bounds. It
// is counted in the program itself, which contains device code as whole ELF files, so that the test runs on
// every machine with a compiler.

#include <gtest/gtest.h>

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int kMostKernels = 600;
constexpr std::size_t kMostBytesOfImages = std::size_t{12} << 20, kMostBytesOfTensors = std::size_t{5} << 19;
constexpr unsigned kArchitecture = 90;
#ifdef KG_SM_90
constexpr bool kBuiltFor = true;
#else
constexpr bool kBuiltFor = false; // or for the GPU that was present, whichever it was
#endif

struct DeviceCode {
    int kernels = 0;
    std::size_t of_images = 0, of_tensors = 0; ///< instructions, in bytes
};

/// Whether a function's mangled name is that of a kernel for signals, filter banks or volumes, each of which
/// has such a parameter.
bool is_of_tensors(std::string_view name) {
    return std::ranges::any_of(std::array{"SignalLaunch", "BankLaunch", "VolumeLaunch", "TimeLaunch"},
                               [&](std::string_view launch) { return name.find(launch) != name.npos; });
}

template <typename T>
T at(std::string_view bytes, std::size_t offset) {
    T value;
    const auto field = bytes.substr(offset, sizeof value);
    if (field.size() != sizeof value) throw std::out_of_range("the device code ends in the middle");
    std::memcpy(&value, field.data(), sizeof value);
    return value;
}

/// True for GPU code of the architecture. The number is in the lowest byte of the flags until CUDA 12, in the
/// next one since.
bool is_for(const Elf64_Ehdr& header, unsigned architecture) {
    return header.e_machine == EM_CUDA &&
           ((header.e_flags & 0xff) == architecture || (header.e_flags >> 8 & 0xff) == architecture);
}

/// Every function's instructions are a section .text.NAME.
DeviceCode count(std::string_view cubin) {
    constexpr unsigned char kKernel = 0x10; // in a symbol's st_other; functions called by kernels lack it
    const auto header = at<Elf64_Ehdr>(cubin, 0);
    const auto section = [&](std::size_t i) {
        return at<Elf64_Shdr>(cubin, header.e_shoff + i * sizeof(Elf64_Shdr));
    };
    const auto names = section(header.e_shstrndx).sh_offset;
    DeviceCode code;
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
        const auto one = section(i);
        if (const std::string_view name = cubin.substr(names + one.sh_name).data();
            name.starts_with(".text."))
            (is_of_tensors(name) ? code.of_tensors : code.of_images) += one.sh_size;
        if (one.sh_type != SHT_SYMTAB) continue;
        for (std::size_t offset = 0; offset < one.sh_size; offset += sizeof(Elf64_Sym)) {
            const auto symbol = at<Elf64_Sym>(cubin, one.sh_offset + offset);
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_other & kKernel) ++code.kernels;
        }
    }
    return code;
}

/// All device code for the architecture that a program carries.
DeviceCode code_in(std::string_view program) {
    DeviceCode total;
    for (auto place = program.find(ELFMAG); place != program.npos; place = program.find(ELFMAG, place + 1)) {
        const auto rest = program.substr(place);
        if (rest.size() < sizeof(Elf64_Ehdr) || !is_for(at<Elf64_Ehdr>(rest, 0), kArchitecture)) continue;
        const auto one = count(rest);
        total.kernels += one.kernels;
        total.of_images += one.of_images, total.of_tensors += one.of_tensors;
    }
    return total;
}

TEST(GpuCode, StaysWithinSixHundredKernelsAndTwelveMegabytesForImages) {
    const char* elsewhere = std::getenv("KERNELGLASS_PROGRAM");
    std::ifstream file(elsewhere ? elsewhere : KG_PROGRAM, std::ios::binary);
    const std::string program{std::istreambuf_iterator<char>(file), {}};
    ASSERT_FALSE(program.empty());
    const auto total = code_in(program);
    if (!kBuiltFor && total.kernels == 0)
        GTEST_SKIP() << "built for other GPUs than sm_90, whose code is counted";
    std::cout << "sm_90: " << total.kernels << " kernels, " << total.of_images / 1024
              << " KiB of code for images, " << total.of_tensors / 1024
              << " KiB for signals, filter banks and volumes\n";
    RecordProperty("kernels", total.kernels);
    RecordProperty("code_kib", static_cast<int>((total.of_images + total.of_tensors) / 1024));
    EXPECT_GT(total.kernels, 100) << "not all was found: does the compiler compress device code?";
    EXPECT_LE(total.kernels, kMostKernels);
    EXPECT_GT(total.of_tensors, std::size_t{1} << 20) << "are their parameters called otherwise now?";
    EXPECT_LE(total.of_images, kMostBytesOfImages);
    EXPECT_LE(total.of_tensors, kMostBytesOfTensors);
}

} // namespace
