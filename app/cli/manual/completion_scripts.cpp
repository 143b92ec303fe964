#include "app/cli/manual/completion_scripts.hpp"

#include "app/io/formats.hpp"
#include "app/process/engine/engines.hpp"
#include "filters/filter.hpp"
#include "filters/preset.hpp"

#include <algorithm>
#include <set>

namespace kg {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// Quotes `text` with single quotes for any of the three shells. Inside them, fish also reads the backslash
/// as an escape.
std::string quoted_word(std::string_view text, bool fish = false) {
    std::string result = "'";
    for (const char c : text)
        if (c == '\'') result += fish ? "\\'" : "'\\''";
        else if (c == '\\' && fish) result += "\\\\";
        else result += c;
    return result + "'";
}

/// Escapes `text` for "[...]" and ":...:" in zsh's _arguments.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

std::vector<std::string> names_of(const CompletionTable& table) {
    std::vector<std::string> names;
    for (const auto& entry : table.entries)
        if (!entry.command->name.empty()) names.emplace_back(entry.command->name);
    return names;
}

std::vector<std::string> subcommands_of(const Command& command) {
    std::vector<std::string> words;
    for (const auto& each : command.subcommands) words.emplace_back(each.word);
    return words;
}

/// Returns true if the first argument may be a file as well as a subcommand.
bool begins_with_file(const CompletionTable::Entry& entry) {
    return !entry.flags.positionals.empty() && CompletionTable::is_file(entry.flags.positionals.front());
}

} // namespace

std::vector<std::string> CompletionTable::words_for(const Flag& flag) const {
    if (flag.value == "ID") return algorithms;
    if (flag.value == "FORMAT") return formats;
    if (flag.value == "STEP") {
        std::vector<std::string> words;
        for (const auto& [step, what] : steps) words.push_back(step);
        return words;
    }
    std::vector<std::string> words;
    for (const auto choice : choices_of(flag.value)) {
        const auto equals = choice.find('='); // "constant=COLOUR" is completed to "constant="
        words.emplace_back(equals == choice.npos ? choice : choice.substr(0, equals + 1));
    }
    return words;
}

bool CompletionTable::is_file(const Flag& flag) { return flag.value == "FILE" || flag.value == "DIR"; }

CompletionTable completion_table() {
    CompletionTable table;
    table.entries.push_back({&window_command(), flag_table(window_command())});
    for (const auto* command : commands())
        if (!command->hidden) table.entries.push_back({command, flag_table(*command)});
    for (const auto* filter : filters()) {
        table.steps.emplace_back(filter->id, filter->title);
        for (const auto& p : filter->parameters) {
            const auto key = std::string(filter->id) + ":" + std::string(p.id) + "=";
            if (p.choices.empty()) table.steps.emplace_back(key, p.label);
            for (const auto choice : p.choices) table.steps.emplace_back(key + std::string(choice), p.label);
        }
    }
    for (const auto& preset : presets())
        if (std::ranges::find(table.steps, preset.id, [](const auto& step) { return step.first; }) ==
            table.steps.end())
            table.steps.emplace_back(preset.id, preset.title);
    std::set<std::string> algorithms;
    for (const auto& engine : all_engines())
        for (const auto algorithm : algorithms_of(*engine)) algorithms.emplace(algorithm);
    table.algorithms.assign(algorithms.begin(), algorithms.end());
    for (const auto& format : written_formats()) table.formats.emplace_back(format.id);
    return table;
}

std::string bash_completion(const CompletionTable& table) {
    std::string text =
        "# bash completion for kernelglass, written by `kernelglass completion bash`\n"
        "_kernelglass() {\n"
        "    local line=${COMP_LINE:0:COMP_POINT} words command='' words_are='' files='' previous current\n"
        "    read -ra words <<<\"$line\"\n"
        "    case $line in *[[:space:]]) words+=('') ;; esac\n"
        "    current=${words[${#words[@]} - 1]} previous=${words[${#words[@]} - 2]}\n"
        "    COMPREPLY=()\n"
        "    if [ ${#words[@]} -gt 2 ]; then\n"
        "        case ${words[1]} in\n"
        "        " +
        [&] {
            std::string all;
            for (const auto& name : names_of(table)) all += (all.empty() ? "" : " | ") + name;
            return all;
        }() +
        ") command=${words[1]} ;;\n"
        "        esac\n"
        "    fi\n"
        "    case $command:$previous in\n";
    for (const auto& entry : table.entries)
        for (const auto& flag : entry.flags.flags) {
            if (flag.value.empty()) continue;
            std::string patterns;
            for (const auto& name : flag.names)
                patterns += (patterns.empty() ? "" : " | ") + std::string(entry.command->name) + ":" + name;
            text += "    " + patterns + ") words_are=" +
                    (CompletionTable::is_file(flag) ? std::string("files")
                                                    : quoted_word(joined(table.words_for(flag)) + " ")) +
                    " ;;\n";
        }
    text += "    esac\n"
            "    [ \"$words_are\" = files ] && return # the shell completes file names by itself\n"
            "    if [ -z \"$words_are\" ]; then\n"
            "        case $command in\n";
    for (const auto& entry : table.entries) {
        std::vector<std::string> flags, words;
        for (const auto& flag : entry.flags.flags)
            flags.insert(flags.end(), flag.names.begin(), flag.names.end());
        for (const auto& flag : entry.flags.positionals) words = table.words_for(flag);
        if (entry.command->name.empty()) words = names_of(table);
        const bool has_subcommands = !entry.command->subcommands.empty();
        if (has_subcommands) words = subcommands_of(*entry.command);
        text += "        " + quoted_word(entry.command->name) +
                ") case $current in -*) words_are=" + quoted_word(joined(flags)) + " ;; *) " +
                (has_subcommands ? "[ ${#words[@]} -gt 3 ] || " : "") +
                "words_are=" + quoted_word(joined(words)) +
                (has_subcommands && begins_with_file(entry) ? " files=$words_are" : "") + " ;; esac ;;\n";
    }
    return text +
           "        esac\n"
           "    fi\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words_are\" -- \"$current\")\n"
           "    if [ -n \"$files\" ]; then\n"
           "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$current\")\n"
           "        compopt -o filenames 2>/dev/null\n"
           "    fi\n"
           "    case ${COMPREPLY[0]} in *= | *:) compopt -o nospace 2>/dev/null ;; esac\n"
           "    # bash splits words at : and =, so the text before the last of them is already on the line\n"
           "    local before=${current%\"${current##*[:=]}\"} i\n"
           "    for i in \"${!COMPREPLY[@]}\"; do COMPREPLY[i]=${COMPREPLY[i]#\"$before\"}; done\n"
           "}\n"
           "complete -o default -F _kernelglass kernelglass\n";
}

std::string zsh_completion(const CompletionTable& table) {
    const auto action = [&](const Flag& flag) {
        if (CompletionTable::is_file(flag)) return std::string("_files");
        if (flag.value == "STEP") return std::string("_kernelglass_steps");
        const auto words = escaped(joined(table.words_for(flag)));
        return words.empty() ? std::string(" ") : "(" + words + ")";
    };
    const auto arguments = [&](const CompletionTable::Entry& entry) {
        std::string text;
        for (const auto& flag : entry.flags.flags)
            for (const auto& name : flag.names) {
                auto spec = (flag.value == "STEP" || flag.names.size() > 1 ? "*" : "") + name + "[" +
                            escaped(flag.help) + "]";
                if (!flag.value.empty()) spec += ":" + escaped(flag.value) + ":" + action(flag);
                text += " \\\n        " + quoted_word(spec);
            }
        const auto subcommands = joined(subcommands_of(*entry.command));
        if (!subcommands.empty()) {
            const auto files = begins_with_file(entry) ? "; _files" : "";
            return text + " \\\n        " + quoted_word("1:WHAT:{ compadd " + subcommands + files + " }") +
                   " \\\n        " + quoted_word("*:FILE:_files");
        }
        for (const auto& flag : entry.flags.positionals)
            text += " \\\n        " + quoted_word((flag.repeated ? "*:" : ":") + escaped(flag.names.front()) +
                                                  ":" + action(flag));
        return text;
    };
    std::string text = "#compdef kernelglass\n"
                       "# zsh completion for kernelglass, written by `kernelglass completion zsh`\n"
                       "_kernelglass_steps() {\n"
                       "    local -a steps=(\n";
    for (const auto& [step, what] : table.steps)
        text += "        " + quoted_word(escaped(step) + ":" + what) + "\n";
    text += "    )\n"
            "    _describe -t steps step steps -S ''\n"
            "}\n"
            "_kernelglass() {\n"
            "    local -a commands=(\n";
    for (const auto& entry : table.entries)
        if (!entry.command->name.empty())
            text += "        " +
                    quoted_word(std::string(entry.command->name) + ":" + escaped(entry.command->summary)) +
                    "\n";
    text += "    )\n"
            "    if (( CURRENT > 2 )) && [[ -n ${commands[(r)$words[2]:*]} ]]; then\n"
            "        local command=$words[2]\n"
            "        shift words\n"
            "        (( CURRENT -= 1 ))\n"
            "        case $command in\n";
    for (const auto& entry : table.entries)
        if (!entry.command->name.empty())
            text += "        " + std::string(entry.command->name) + ") _arguments -S" + arguments(entry) +
                    " ;;\n";
    return text +
           "        esac\n"
           "        return\n"
           "    fi\n"
           "    (( CURRENT == 2 )) && _describe -t commands command commands\n"
           "    _arguments -S" +
           arguments(table.entries.front()) +
           "\n"
           "}\n"
           "if [[ $funcstack[1] = _kernelglass ]]; then _kernelglass \"$@\"; else compdef _kernelglass "
           "kernelglass; fi\n";
}

std::string fish_completion(const CompletionTable& table) {
    const auto names = joined(names_of(table));
    std::string text = "# fish completion for kernelglass, written by `kernelglass completion fish`\n"
                       "set -l commands " +
                       names + "\n";
    for (const auto& entry : table.entries) {
        const bool window = entry.command->name.empty();
        const auto when = window ? std::string("\"not __fish_seen_subcommand_from $commands\"")
                                 : "'__fish_seen_subcommand_from " + std::string(entry.command->name) + "'";
        const auto begin = "complete -c kernelglass -n " + when;
        if (!window)
            text += "complete -c kernelglass -n \"not __fish_seen_subcommand_from $commands\" -a " +
                    std::string(entry.command->name) + " -d " + quoted_word(entry.command->summary, true) +
                    "\n";
        for (const auto& flag : entry.flags.flags) {
            auto line = begin;
            for (const auto& name : flag.names)
                line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!flag.value.empty())
                line += CompletionTable::is_file(flag)
                            ? " -r -F"
                            : " -x -a " + quoted_word(joined(table.words_for(flag)), true);
            text += line + " -d " + quoted_word(flag.help, true) + "\n";
        }
        const auto subcommands = joined(subcommands_of(*entry.command));
        for (const auto& each : entry.command->subcommands)
            text += "complete -c kernelglass -n '__fish_seen_subcommand_from " +
                    std::string(entry.command->name) + "; and not __fish_seen_subcommand_from " +
                    subcommands + "'" + (begins_with_file(entry) ? "" : " -f") + " -a " +
                    std::string(each.word) + " -d " + quoted_word(each.summary, true) + "\n";
        for (const auto& flag : entry.flags.positionals)
            if (!CompletionTable::is_file(flag) && subcommands.empty())
                text += begin + " -f -a " + quoted_word(joined(table.words_for(flag)), true) + "\n";
    }
    return text;
}

} // namespace kg
