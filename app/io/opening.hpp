#pragma once
// Builds a LoadedImage without pixels from a file's header, and messages from failures.

#include "app/io/files/byte_access.hpp"
#include "app/io/codecs/codec.hpp"
#include "app/io/formats.hpp"
#include "core/support/error.hpp"

#include <new>
#include <string>
#include <string_view>
#include <vector>

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

/// The format of a file that begins with `start`. Throws Error if there is none, or if the page is invalid.
const FileFormat& format_of_file(std::string_view start, int page);

/// Completes the header with what is common to all formats, such as colours that only EXIF declares. Throws
/// Error if there is no such page.
void complete(Header& header, int page);

/// Empty for the usual depth.
std::string_view depth_note(Depth stored);
std::vector<std::string> notes_of(const Header& header, int page);
std::string damage_note(const std::string& damage);

/// A LoadedImage without pixels.
LoadedImage image_of(Header header, const FileFormat& format, int page);

} // namespace kg::io
