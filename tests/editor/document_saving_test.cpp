// Files that saving may replace: only the export of the shown image, never an input.

#include "tests/support/app/document_fixture.hpp"

namespace kg::testing {
namespace {

class DocumentSaving : public DocumentFixture {
protected:
    fs::path saved_file(const char* name, unsigned seed) {
        const auto path = folder_ / name;
        write_image(path, random_image({30, 20}, {Depth::u8, 3}, seed).view());
        return path;
    }
};

TEST_P(DocumentSaving, NoImageThatIsOpenIsReplacedByWhateverName) {
    const auto first = saved_file("a.png", 1), second = saved_file("b.png", 2);
    fs::create_hard_link(second, folder_ / "linked.png");
    fs::create_symlink(second, folder_ / "pointing.png");
    const auto bytes = read_file(second), own = read_file(first);
    const auto d = document();
    d->open(std::vector{first, second});
    d->set_recipe(recipe_of({gaussian(2)}));
    settle(*d);
    for (const auto* name : {"a.png", "b.png", "./b.png", "linked.png", "pointing.png"}) {
        d->save(folder_ / name);
        settle(*d);
        EXPECT_EQ(d->messages().back().kind, Message::Kind::error) << name;
        EXPECT_EQ(d->messages().back().code(), "replaces-original") << last_message(*d);
        EXPECT_TRUE(read_file(second) == bytes) << name;
        EXPECT_TRUE(read_file(first) == own) << name;
        EXPECT_TRUE(d->saved_path().empty()) << name;
    }
}

TEST_P(DocumentSaving, AsksForEveryFileThatIsThereButItsOwnExport) {
    const auto first = saved_file("a.png", 1), second = saved_file("b.png", 2),
               other = saved_file("other.png", 3);
    const auto d = document();
    d->open(std::vector{first, second});
    settle(*d);
    const auto exported = folder_ / "export.png";
    EXPECT_FALSE(d->asks_before(exported)) << "it is not there";
    EXPECT_TRUE(d->asks_before(other));
    EXPECT_FALSE(d->asks_before(second)) << "an input is refused, whatever the answer would be";
    EXPECT_FALSE(d->asks_before(folder_)) << "a folder is refused";
    d->save(exported);
    settle(*d);
    ASSERT_EQ(d->saved_path(), exported);
    EXPECT_FALSE(d->asks_before(exported));
    EXPECT_FALSE(d->asks_before(folder_ / "." / "export.png"));
    EXPECT_TRUE(d->asks_before(other));
    d->show(1);
    settle(*d);
    EXPECT_TRUE(d->asks_before(exported)) << "it is another image's";
}

TEST_P(DocumentSaving, AnExportThatIsReadyAfterAnotherImageCameIsNotThatImages) {
    const auto first = saved_file("a.png", 1), second = saved_file("b.png", 2);
    const auto d = document();
    d->open(std::vector{first, second});
    settle(*d);
    d->show(1);
    d->save(folder_ / "of-a.png"); // a.png is still on the screen
    settle(*d);
    ASSERT_EQ(d->title(), "b.png");
    ASSERT_TRUE(fs::exists(folder_ / "of-a.png")) << last_message(*d);
    EXPECT_TRUE(d->saved_path().empty()) << "saving again would write b.png's result into a.png's export";
}

INSTANTIATE_TEST_SUITE_P(Engines, DocumentSaving, kEngineNames, engine_name);

} // namespace
} // namespace kg::testing
