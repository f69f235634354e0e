// SPDX-License-Identifier: Apache-2.0
#include "weft/command/manual.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/configuration/keys.h"
#include "weft/configuration/schema.h"
#include "weft/report/format.h"

namespace weft::experiment {

namespace {

/// \p text with what roff would interpret escaped; text in backticks becomes bold.
std::string roff(const std::string& text) {
  std::string escaped;
  bool is_bold = false;
  for (const char c : text) {
    if (c == '`') {
      is_bold = !is_bold;
      escaped += is_bold ? "\\fB" : "\\fR";
    } else if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) escaped += "\\&";
      escaped += c;
    }
  }
  return escaped;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string title(const std::string& name, unsigned section) {
  std::string capitals = name;
  std::transform(name.begin(), name.end(), capitals.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(".TH {} {} \"\" \"weft {}\" \"Weft\"\n", roff(capitals), section, version());
}

/// The line of a page after NAME. \p description a sentence, such as "Compares two results: prints …."
std::string name_line(const std::string& name, const std::string& description) {
  std::string text = description.substr(0, description.find_last_not_of('.') + 1);
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0)
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return fmt::format(".SH NAME\n{} \\- {}\n", roff(name), roff(text));
}

/// The paragraphs of a help text, which empty lines separate.
std::vector<std::string> paragraphs_of(const std::string& help) {
  std::vector<std::string> paragraphs(1);
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty())
      paragraphs.back() += line + "\n";
    else if (!paragraphs.back().empty())
      paragraphs.emplace_back();
  if (paragraphs.back().empty()) paragraphs.pop_back();
  return paragraphs;
}

/// A paragraph as it is, line by line.
std::string as_lines(const std::string& paragraph) { return ".PP\n.nf\n" + roff(paragraph) + ".fi\n"; }

/// A paragraph whose lines the reader's program breaks, unless it is a table or a list of commands.
std::string as_text(const std::string& paragraph) {
  if (paragraph.find("  ") != std::string::npos) return as_lines(paragraph);
  return ".PP\n" + roff(paragraph);
}

/// The parts of a help text, which are sections of a manual page.
struct help_parts {
  std::string description, examples, exit_status;
};

help_parts parts_of(const std::string& help) {
  const std::string examples = "Examples:\n", status = "Exit status: ";
  help_parts parts;
  for (const std::string& p : paragraphs_of(help)) {
    const std::size_t at = p.find(examples);
    if (p.rfind(status, 0) == 0)
      parts.exit_status += as_text(p.substr(status.size()));
    else if (at == 0 || (at != std::string::npos && p[at - 1] == '\n'))
      parts.examples += as_lines(p.substr(at + examples.size()));
    else if (p.rfind("  ", 0) == 0)
      parts.examples += as_lines(p);
    else
      parts.description += as_text(p);
  }
  return parts;
}

std::string section_with(const char* name, const std::string& content) {
  const std::string first = ".PP\n";  // has no effect at the beginning of a section
  return content.empty()
             ? ""
             : fmt::format(".SH {}\n{}", name, content.substr(content.rfind(first, 0) == 0 ? first.size() : 0));
}

/// The name of the value of \p option, and its range or values: "N", "in [1 - 1024]".
std::pair<std::string, std::string> type_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':');
  if (colon == std::string::npos) return {type, ""};
  const std::size_t range = type.find("in [", colon);
  return {type.substr(0, colon), range != std::string::npos ? type.substr(range) : type.substr(colon + 1)};
}

/// "Requires --a.", for the names of \p options in alphabetical order; empty without any.
std::string names_after(const char* words, const std::set<CLI::Option*>& options) {
  std::set<std::string> names;
  for (const CLI::Option* one : options) names.insert(one->get_name());
  return names.empty() ? "" : fmt::format(" {} {}.", words, fmt::join(names, ", "));
}

std::string option_entry(const CLI::Option& option) {
  const auto [value, values] = type_of(option);
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back(bold("-" + name));
  for (const std::string& name : option.get_lnames()) names.push_back(bold("--" + name));
  const bool has_value = option.get_items_expected_max() > 0;
  if (option.get_positional()) names.push_back(italic(option.get_name()));
  return fmt::format(".TP\n{}{}\n{}{}.{}{}\n", fmt::join(names, ", "),
                     has_value && !option.get_positional() ? " " + italic(value) : "", roff(option.get_description()),
                     values.empty() ? "" : roff(" (" + values + ")"), roff(names_after("Requires", option.get_needs())),
                     roff(names_after("Not together with", option.get_excludes())));
}

std::string option_entries(const CLI::App& app, bool positional) {
  std::string entries;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional() == positional) entries += option_entry(*option);
  return entries;
}

std::string synopsis(const CLI::App& command) {
  std::string line = bold("weft " + command.get_name()) + " [" + italic("OPTIONS") + "]";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = italic(option->get_name()) + (option->get_items_expected_max() > 1 ? "..." : "");
    line += option->get_required() ? " " + name : " [" + name + "]";
  }
  return section_with("SYNOPSIS", line + "\n");
}

manual_page page_of(const CLI::App& command) {
  const std::string name = "weft-" + command.get_name();
  const help_parts help = parts_of(command.get_footer());
  return {name, 1,
          title(name, 1) + name_line(name, command.get_description()) + synopsis(command) +
              section_with("DESCRIPTION", ".PP\n" + roff(command.get_description()) + "\n" + help.description) +
              section_with("ARGUMENTS", option_entries(command, true)) +
              section_with("OPTIONS", option_entries(command, false)) + section_with("EXIT STATUS", help.exit_status) +
              section_with("EXAMPLES", help.examples) + ".SH SEE ALSO\n.BR weft (1),\n.BR weft\\-configuration (5)\n"};
}

manual_page page_of_weft(const CLI::App& app) {
  const help_parts help = parts_of(app.get_description());
  std::string commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands += fmt::format(".TP\n.BR weft\\-{} (1)\n{}\n", command->get_name(), roff(command->get_description()));
  return {"weft", 1,
          title("weft", 1) + name_line("weft", "simulates networks-on-chip") + ".SH SYNOPSIS\n" + bold("weft") + " " +
              italic("COMMAND") + " [" + italic("OPTIONS") + "] [" + italic("ARGUMENTS") + "]\n" +
              section_with("DESCRIPTION", help.description) + section_with("COMMANDS", commands) +
              section_with("OPTIONS", option_entries(app, false)) + section_with("EXAMPLES", help.examples) +
              ".SH SEE ALSO\n.BR weft\\-configuration (5)\n"};
}

/// \p text with the words of links in place of links in Markdown.
std::string without_links(std::string text) {
  for (std::size_t end; (end = text.find("](")) != std::string::npos;) {
    const std::size_t begin = text.rfind('[', end), after = text.find(')', end) + 1;
    text.replace(begin, after - begin, text.substr(begin + 1, end - begin - 1));
  }
  return text;
}

std::string key_entry(const key& k) {
  std::string text = without_links(k.description) + " Expected: " + k.type.describe();
  if (!k.unit.empty()) text += ", in " + k.unit;
  return fmt::format(".TP\n{}\n{}. Default: {}.\n", bold(k.path), roff(text), roff(default_text(k)));
}

manual_page page_of_configuration() {
  configuration defaults;
  std::string entries;
  for (const section& s : sections()) {
    entries += fmt::format(".SS {}\n{}\n", s.path.empty() ? "all" : roff(s.path), roff(without_links(s.description)));
    for (const key& k : keys(defaults))
      if (parent_of(k.path) == s.path) entries += key_entry(k);
  }
  return {"weft-configuration", 5,
          title("weft-configuration", 5) + name_line("weft-configuration", "the keys of an experiment of Weft") +
              ".SH DESCRIPTION\n" +
              roff("The commands of `weft` read an experiment from a YAML file, from a JSON file, or from standard "
                   "input. Every key has a default. `--set KEY=VALUE` overrides a key.\n") +
              section_with("KEYS", entries) +
              ".SH SEE ALSO\n.BR weft (1),\n.BR weft\\-run (1),\n.BR weft\\-schema (1)\n"};
}

}  // namespace

std::vector<manual_page> manual_pages(const command_set& commands) {
  std::vector<manual_page> pages{page_of_weft(commands.app())};
  for (const CLI::App* command : commands.app().get_subcommands([](const CLI::App*) { return true; }))
    pages.push_back(page_of(*command));
  pages.push_back(page_of_configuration());
  return pages;
}

}  // namespace weft::experiment
