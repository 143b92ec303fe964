#pragma once
// The way from a file's header to a Picture without its pixels, and from failures to sentences.

#include "app/io/files/byte_access.hpp"
#include "app/io/codecs/codec.hpp"
#include "app/io/formats.hpp"
#include "core/support/error.hpp"

#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace kg::io {

/// Reasons and notes may quote a hostile file; what does not print would upset terminals and JSON.
std::string printable(std::string text);

/// Runs the work on a file; whatever goes wrong becomes a sentence that begins with what could not be done.
template <typename Work>
auto in_words(const std::string& what, Work work) {
    try {
        return work();
    } catch (const NotByRows&) { // its caller knows what to say
        throw;
    } catch (const FileError& error) {
        throw Error(what + ": " +
                    printable(what.ends_with(" " + error.name()) ? error.reason() : error.what()));
    } catch (const Error& error) {
        throw Error(what + ": " + printable(error.what()));
    } catch (const std::bad_alloc&) {
        throw Error(what + ": there is not enough memory for it");
    } catch (const std::exception& error) {
        throw Error(what + ": it is damaged: " + printable(error.what()));
    }
}

/// The format of a file that begins so. Throws Error if it has none, or the page cannot be.
const FileFormat& format_of_file(std::string_view start, int page);

/// What is the same for all formats: colours that EXIF alone names. Throws Error if there is no such page.
void complete(Header& header, int page);

/// Empty where it is what one expects.
std::string_view depth_note(Depth stored);
std::vector<std::string> notes_of(const Header& header, int page);
std::string damage_note(const std::string& damage);

/// All of it but the pixels.
Picture picture_of(Header header, const FileFormat& format, int page);

} // namespace kg::io
