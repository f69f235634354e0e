// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/other_form.h"

#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/file/form.h"

namespace weft::experiment {

namespace {

constexpr const char* AsNetwork =
    "to simulate this network, set network: {topology: {kind: file, file: NAME}} in a configuration";

std::string remedy_for(file_form form) {
  switch (form) {
    case file_form::BookSimConfiguration:
    case file_form::BookSimNetwork:
      return "`weft import` converts it";
    case file_form::GraphMl:
    case file_form::Dot:
      return AsNetwork;
    default:
      return "`weft schema --markdown` lists its keys";
  }
}

/// The message for a Weft document that names its own format.
std::string other_document(const std::string& format) {
  if (format == "weft-topology-1") return fmt::format("is a network ({}); {}", format, AsNetwork);
  if (format == "ccsched/1")
    return fmt::format(
        "is a schedule ({}); expected a configuration; name the schedule in collective.schedule, or check it with "
        "`weft schedule FILE --check SCHEDULE`",
        format);
  return fmt::format("is a document in the format {}; expected a configuration", in_quotes(format));
}

}  // namespace

std::string other_form(const std::optional<YAML::Node>& root, const std::string& text) {
  if (root && root->IsMap()) {
    const std::optional<std::string> format = text_in(value_in(*root, "format"));
    return format ? other_document(*format) : "";
  }
  const file_form form = form_of(text);
  if (form == file_form::Other) return "";
  return fmt::format("is {}; expected a configuration, in YAML; {}", name_of(form), remedy_for(form));
}

}  // namespace weft::experiment
