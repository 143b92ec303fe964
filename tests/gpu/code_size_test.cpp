// Kernels multiply with every template argument: what one architecture carries is kept within bounds.

#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct DeviceCode {
    int kernels = 0;
    std::size_t bytes = 0; ///< of instructions
    DeviceCode& operator+=(const DeviceCode& more) {
        kernels += more.kernels;
        bytes += more.bytes;
        return *this;
    }
};

/// Counts in a cubin, which is an ELF file: every function's instructions are a section .text.NAME.
DeviceCode count(const fs::path& cubin) {
    constexpr unsigned char kKernel = 0x10; // in a symbol's st_other; functions that kernels call lack it
    std::ifstream file(cubin, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto at = [&]<typename T>(T& to, std::size_t offset) {
        std::memcpy(&to, &bytes.at(offset), sizeof to);
    };
    Elf64_Ehdr header;
    at(header, 0);
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    for (std::size_t i = 0; i < sections.size(); ++i)
        at(sections[i], header.e_shoff + i * sizeof(Elf64_Shdr));
    DeviceCode code;
    for (const auto& section : sections) {
        const char* name = &bytes.at(sections.at(header.e_shstrndx).sh_offset + section.sh_name);
        if (std::string_view(name).starts_with(".text.")) code.bytes += section.sh_size;
        if (section.sh_type != SHT_SYMTAB) continue;
        for (std::size_t offset = 0; offset < section.sh_size; offset += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol;
            at(symbol, section.sh_offset + offset);
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_other & kKernel) ++code.kernels;
        }
    }
    return code;
}

TEST(GpuCode, StaysWithinSixHundredKernelsAndTwelveMegabytes) {
    if (!fs::exists(KG_CUOBJDUMP))
        GTEST_SKIP() << "no cuobjdump, so nobody counted the GPU code; scripts/setup --cuda installs it";
    const kg::testing::TemporaryFolder folder("code");
    const auto extract = "cd '" + folder.path().string() +
                         "' && '" KG_CUOBJDUMP "' -arch sm_90 -xelf all '" KG_PROGRAM "' >/dev/null";
    EXPECT_EQ(std::system(extract.c_str()), 0);
    DeviceCode total;
    for (const auto& entry : fs::directory_iterator(folder.path())) total += count(entry.path());
    std::cout << "sm_90: " << total.kernels << " kernels, " << total.bytes / 1024 << " KiB of code\n";
    EXPECT_GT(total.kernels, 0) << "was it built for sm_90?";
    EXPECT_LE(total.kernels, 600);
    EXPECT_LE(total.bytes, std::size_t{12} << 20);
}

} // namespace
