#pragma once

#include <optional>

namespace kg {

/// Remembers the answer to the latest question, because the query whether an algorithm applies is followed by
/// the request for its plan. Not thread-safe: each thread has one of its own.
template <typename Question, typename Answer>
class LastAnswer {
public:
    /// `find()` is called if the question is another one than the latest.
    template <typename Find>
    const Answer& to(const Question& question, Find find) {
        if (question_ != question) {
            question_.reset(); // find() and the copy may throw
            answer_ = find();
            question_ = question;
        }
        return answer_;
    }

private:
    std::optional<Question> question_;
    Answer answer_{};
};

} // namespace kg
