#pragma once
// Failures of reading and writing files, as messages that name what could not be done.

#include "app/io/files/byte_access.hpp"
#include "app/io/row_files.hpp"
#include "core/support/error.hpp"

#include <new>
#include <string>

namespace kg::io {

/// Replaces unprintable characters: reasons and notes may quote a hostile file, and would upset terminals and
/// JSON.
std::string printable(std::string text);

/// The error after `what` could not be done, with its code. It keeps its arguments, too, unless the message
/// has unprintable characters: then the printable message is the only one.
Error in_context(const std::string& what, const Error& error);
/// The same without the file's name, where `what` ends with it.
Error in_context(const std::string& what, const FileError& error);

/// Runs `work` on a file. Exceptions become Errors whose message begins with `what` could not be done.
template <typename Work>
auto with_context(const std::string& what, Work work) {
    try {
        return work();
    } catch (const NotByRows&) { // the caller reports it
        throw;
    } catch (const FileError& error) {
        throw in_context(what, error);
    } catch (const Error& error) {
        throw in_context(what, error);
    } catch (const std::bad_alloc&) {
        throw Error("out-of-memory", "there is not enough memory for it").after(what + ": ");
    } catch (const std::exception& error) {
        throw Error("damaged-file", "it is damaged: {}", printable(error.what())).after(what + ": ");
    }
}

} // namespace kg::io
