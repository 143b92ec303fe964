#pragma once
// A panel draws the document and posts intents to it; it never computes. Its frame (place, tabs, scrolling)
// belongs to the window. Panels are listed in registry.cpp.

#include <memory>
#include <string_view>

namespace kg {
class Document;
}

namespace kg::ui {

/// Placement of a panel. Those in `right` become tabs, those in `left` are stacked.
enum class Place { left, right };

class Panel {
public:
    virtual ~Panel() = default;
    virtual std::string_view id() const = 0;    ///< file stem without _panel; name in tests
    virtual std::string_view title() const = 0; ///< text of its tab or heading
    virtual std::string_view tooltip() const = 0;
    virtual Place place() const = 0;
    virtual void draw(Document& document) = 0;
};

} // namespace kg::ui
