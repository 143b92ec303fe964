#pragma once
// A document of its own, as Signal and Bank have it, beside the program: what their tests share.

#include "app/editor/document/message.hpp"
#include "app/io/files/files.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/eventually.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace kg::testing {

/// `Own` is the document, a member of the test.
template <typename Own>
class OwnDocumentTest : public Program {
protected:
    virtual Own& own() = 0;

    /// Waits until everything is read, written and computed.
    void settle() {
        EXPECT_TRUE(eventually([&] {
            own().update();
            return !own().busy();
        }));
        for (auto& message : own().take_messages()) reported_.push_back(std::move(message));
    }
    /// Of the newest message.
    std::string code() const { return reported_.empty() ? "" : std::string(reported_.back().code()); }
    std::string text() const { return reported_.empty() ? "" : reported_.back().text; }

    /// Saves, and runs the copied command: the same bytes.
    void expect_same_file(const std::string& name) {
        SCOPED_TRACE(name);
        own().save(path(name));
        settle();
        ASSERT_EQ(own().saved_path(), path(name)) << text();
        const auto saved = read_file(path(name));
        std::filesystem::remove(path(name));
        const auto command = own().copy_as_command();
        ASSERT_TRUE(command.starts_with("kernelglass ")) << command;
        auto line = command;
        for (std::size_t at = 0; (at = line.find("kernelglass ", at)) != std::string::npos; at += 2)
            line.replace(at, 11, "$K");
        ASSERT_EQ(shell(line), 0) << line << err_;
        EXPECT_TRUE(read_file(path(name)) == saved) << command;
    }

    std::vector<Message> reported_;
};

} // namespace kg::testing
