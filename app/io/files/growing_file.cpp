#include "app/io/files/growing_file.hpp"

#include "app/io/files/unfinished.hpp"

namespace kg {

GrowingFile::GrowingFile(const std::filesystem::path& target, const std::function<void(ByteSink&)>& fill,
                         std::uint32_t tag)
    : place_(std::make_unique<io::Unfinished>()), target_(target), stamp_(place_->fill(target, tag, fill)) {}

GrowingFile::~GrowingFile() {
    if (!has_name_) place_->remove();
}

std::filesystem::path GrowingFile::place() const { return place_->path(); }

bool GrowingFile::take_name(bool may_replace) {
    has_name_ = place_->take_name(target_, may_replace);
    return has_name_;
}

} // namespace kg
