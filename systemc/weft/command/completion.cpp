// SPDX-License-Identifier: Apache-2.0
#include "weft/command/completion.h"

#include <algorithm>
#include <cstddef>

#include "weft/configuration/keys.h"

namespace weft::experiment {

namespace {

bool begins_with(const std::string& text, const std::string& beginning) { return text.rfind(beginning, 0) == 0; }

/// Adds \p word if it begins with \p typed.
void offer(completion& found, const std::string& typed, const std::string& word, const std::string& description = "") {
  if (begins_with(word, typed)) found.candidates.push_back({word, description});
}

/// Places \p before, such as "--nics=", in front of all candidates.
completion preceded(const std::string& before, completion found) {
  for (completion::candidate& one : found.candidates) one.word.insert(0, before);
  return found;
}

/// All values of \p type, if they can be listed.
std::vector<std::string> values_of_type(const value_type& type) {
  if (type.what == value_type::kind::Boolean) return {"true", "false"};
  std::vector<std::string> values = type.names;
  for (const std::uint64_t number : type.allowed) values.push_back(std::to_string(number));
  return values;
}

/// Completes the value \p typed of the key \p path, or of the main key of the section \p path.
completion complete_value(const std::string& path, const std::string& typed) {
  configuration defaults;
  std::string name = path;
  for (const section& s : sections())
    if (s.path == path) name = s.shorthand;
  completion found;
  for (const key& k : keys(defaults)) {
    if (k.path != name) continue;
    if (k.type.what == value_type::kind::Path) found.what = completion::kind::Files;
    for (const std::string& value : values_of_type(k.type)) offer(found, typed, value);
  }
  return found;
}

/// The values in braces in the type of \p option, as in "KIND:{streams,axi}".
std::vector<std::string> values_of_option(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.rfind('}');
  std::vector<std::string> values;
  if (open == std::string::npos || close == std::string::npos) return values;
  for (std::size_t at = open + 1; at <= close;) {
    const std::size_t end = std::min(type.find(',', at), close);
    values.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return values;
}

/// Completes \p typed as a value of \p option, which may be positional.
completion complete_option_value(const command_set& commands, const CLI::Option& option, const std::string& typed) {
  const std::string type = option.get_type_name();
  if (begins_with(type, "KEY=VALUE")) return complete_setting(typed);
  completion found;
  if (begins_with(type, "FILE") || begins_with(type, "PREFIX")) found.what = completion::kind::Files;
  if (begins_with(type, "DIR")) found.what = completion::kind::Directories;
  for (const std::string& value : values_of_option(option)) offer(found, typed, value);
  for (const std::string& value : commands.values_of(option)) offer(found, typed, value);
  return found;
}

completion complete_command(const CLI::App& app, const std::string& typed) {
  completion found;
  if (begins_with(typed, "-"))
    for (const char* const option : {"--help", "--version"}) offer(found, typed, option);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    offer(found, typed, command->get_name(), command->get_description());
  return found;
}

completion complete_option_name(const CLI::App& command, const std::string& typed) {
  completion found;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) offer(found, typed, "--" + name, option->get_description());
    if (typed == "-")
      for (const std::string& name : option->get_snames()) offer(found, typed, "-" + name, option->get_description());
  }
  return found;
}

/// The positional argument of \p command that follows \p before others; null if there is none.
const CLI::Option* positional(const CLI::App& command, std::size_t before) {
  const CLI::Option* last = nullptr;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    last = option;
    if (before == 0) return option;
    --before;
  }
  return last != nullptr && last->get_items_expected_max() > 1 ? last : nullptr;
}

/// Whether \p word is an option of \p command that takes the next word as its value.
const CLI::Option* option_before_value(const CLI::App& command, const std::string& word) {
  const CLI::Option* option = begins_with(word, "-") ? command.get_option_no_throw(word) : nullptr;
  return option != nullptr && option->get_items_expected_max() > 0 ? option : nullptr;
}

}  // namespace

completion complete_setting(const std::string& typed) {
  if (const std::size_t equals = typed.find('='); equals != std::string::npos) {
    const std::size_t value = std::max(equals, typed.find_last_of(",=")) + 1;
    return preceded(typed.substr(0, value), complete_value(typed.substr(0, equals), typed.substr(value)));
  }
  const std::string around = parent_of(typed);
  configuration defaults;
  completion found;
  for (const section& s : sections()) {
    if (s.path.empty() || parent_of(s.path) != around) continue;
    offer(found, typed, s.path + ".", s.description);
    if (!s.shorthand.empty()) offer(found, typed, s.path + "=", s.description);
  }
  for (const key& k : keys(defaults))
    if (parent_of(k.path) == around) offer(found, typed, k.path + "=", k.description);
  return found;
}

completion complete(const command_set& commands, const std::vector<std::string>& words) {
  const std::string typed = words.empty() ? "" : words.back();
  if (words.size() < 2) return complete_command(commands.app(), typed);
  const std::vector<const CLI::App*> named =
      commands.app().get_subcommands([&](const CLI::App* a) { return a->get_name() == words.front(); });
  if (named.empty()) return {};
  const CLI::App& command = *named.front();

  const CLI::Option* pending = nullptr;  // the option that takes the next word as its value
  std::size_t positionals = 0;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const bool is_value = pending != nullptr;
    pending = is_value ? nullptr : option_before_value(command, words[i]);
    if (!is_value && (!begins_with(words[i], "-") || words[i] == "-")) ++positionals;
  }
  if (pending != nullptr) return complete_option_value(commands, *pending, typed);
  if (const std::size_t equals = typed.find('='); begins_with(typed, "--") && equals != std::string::npos) {
    const CLI::Option* option = option_before_value(command, typed.substr(0, equals));
    if (option == nullptr) return {};
    return preceded(typed.substr(0, equals + 1), complete_option_value(commands, *option, typed.substr(equals + 1)));
  }
  if (begins_with(typed, "-")) return complete_option_name(command, typed);
  const CLI::Option* argument = positional(command, positionals);
  return argument == nullptr ? completion() : complete_option_value(commands, *argument, typed);
}

}  // namespace weft::experiment
