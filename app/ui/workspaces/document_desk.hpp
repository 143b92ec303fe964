#pragma once
// A workspace whose document is an OwnDocument: what Signal and Bank share.

#include "app/ui/workspaces/own_desk.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace kg::ui {

/// `Actions` has open() and save(), which show dialogs.
template <typename Own, typename Actions>
class DocumentDesk : public OwnDesk {
public:
    /// `document` receives what is to be reported; `subject` is what is open: "image".
    DocumentDesk(Document& document, typename Own::Setup setup, Actions actions, std::string subject)
        : document_(document), actions_(std::move(actions)), subject_(std::move(subject)),
          own_(std::move(setup)) {}

    void enter() override {
        if (!own_.source() && !own_.busy()) own_.open_sample();
    }
    void follow() override {
        own_.update();
        const auto messages = own_.take_messages();
        report_all(document_, messages);
        for (const auto& message : messages)
            if (message.kind == Message::Kind::error) refused_ = message.text;
        if (own_.source()) refused_.clear();
    }
    std::string why_nothing() const override { return own_.source() ? "" : "No " + subject_ + " is open"; }
    std::string why_no_file() const override {
        if (!own_.source()) return why_nothing();
        return own_.inputs().empty() ? "The " + subject_ + " is not of a file" : "";
    }
    void ask_open() override { actions_.open(); }
    void ask_save() override { actions_.save(); }
    void save_again() override {
        if (own_.saved_path().empty()) ask_save();
        else own_.save(own_.saved_path());
    }
    void reload() override { own_.reload(); }
    std::string copy_as_command() const override { return own_.copy_as_command(); }
    std::string undo_name() const override { return own_.history().undo_name(); }
    std::string redo_name() const override { return own_.history().redo_name(); }
    void undo() override { own_.undo(); }
    void redo() override { own_.redo(); }
    bool settled() const override { return !own_.busy(); }
    std::string title() const override { return own_.source() ? own_.source()->title : std::string(); }
    std::string chip() const override {
        if (!own_.result()) return {};
        if (const double seconds = own_.computing_seconds(); seconds >= kLongSeconds)
            return "Computing, " + std::to_string(static_cast<int>(seconds)) + " s";
        const auto& done = *own_.result()->outcome;
        return engine_text(done.engine, done.algorithm, done.microseconds);
    }

    std::string chip_help() const override {
        return own_.computing_seconds() >= kLongSeconds
                   ? "What is shown is of the settings before. Undo, or another setting, stops this"
                   : "Engine, algorithm and time of the result";
    }
    double next_change() const override {
        const double seconds = own_.computing_seconds();
        return seconds == 0 ? std::numeric_limits<double>::infinity() : std::floor(seconds) + 1 - seconds;
    }

    const Actions& actions() const { return actions_; }

protected:
    Document& document() { return document_; }
    Own& own() { return own_; }
    /// Why nothing is open: the file of the start was refused. Empty where something is, or was not tried.
    const std::string& refused() const { return refused_; }
    const Own& own() const { return own_; }

private:
    Document& document_;
    Actions actions_;
    std::string subject_;
    std::string refused_;
    Own own_;
};

} // namespace kg::ui
