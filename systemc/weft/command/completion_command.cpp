// SPDX-License-Identifier: Apache-2.0
/// `weft completion`: prints the scripts with which shells complete commands of `weft`, and the words for the scripts.
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "weft/command/commands.h"
#include "weft/command/completion.h"
#include "weft/command/exit_status.h"
#include "weft/core/printable.h"

namespace weft::experiment {

namespace {

constexpr const char* CompletionHelp = R"(Examples:
  weft completion bash > weft.bash        then `source weft.bash` in ~/.bashrc
  weft completion zsh > _weft             in a folder of fpath
  weft completion fish > weft.fish        in ~/.config/fish/completions
  weft completion bash -- run --set network.r

Prints a script with which SHELL completes commands, options, files, and the keys and values of --set. An installed
weft needs none of these commands, because the scripts are installed with it.

The scripts call `weft completion SHELL -- WORDS`, which prints what can take the place of the last of WORDS. The first
line is `words`, `files` or `directories`. After `words`, each line has a word, a tab and its description.)";

// Bash splits words at "=" and ":", and replaces only the last part. The script joins the parts, and removes from each
// candidate what precedes that part.
constexpr const char* BashScript = R"(# Completion of weft for bash. Printed by: weft completion bash
_weft() {
  local word before='' joined='' typed
  local -a words=() answers=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ( $word == [=:]* || -n $joined ) ]]; then
      words[-1]+=$word
    else
      words+=("${word#[\"\']}")
    fi
    joined=''
    if [[ $word == *[=:] ]]; then joined=1; fi
  done
  typed=${words[-1]}
  before=${typed%"${typed##*[=:]}"}
  mapfile -t answers < <("${COMP_WORDS[0]}" completion bash -- "${words[@]}" 2>/dev/null)
  COMPREPLY=()
  case ${answers[0]} in
    files)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "${typed#"$before"}") ;;
    directories)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "${typed#"$before"}") ;;
    *)
      for word in "${answers[@]:1}"; do
        word=${word%%$'\t'*}
        if [[ $word == *[.=] ]]; then compopt -o nospace 2>/dev/null; fi
        COMPREPLY+=("${word#"$before"}")
      done ;;
  esac
}
complete -F _weft weft
)";

constexpr const char* ZshScript = R"(#compdef weft
# Completion of weft for zsh. Printed by: weft completion zsh
_weft() {
  local answer word
  local -a answers typed complete complete_texts open open_texts
  typed=("${(@Q)words[2,CURRENT]}")
  answers=("${(@f)$(${words[1]} completion zsh -- "${typed[@]}" 2>/dev/null)}")
  case ${answers[1]} in
    files) compset -P '--*='; _files; return ;;
    directories) compset -P '--*='; _files -/; return ;;
  esac
  for answer in "${(@)answers[2,-1]}"; do
    word=${answer%%$'\t'*}
    if [[ $word == *[.=] ]]; then
      open+=("$word")
      open_texts+=("$word  -- ${answer#*$'\t'}")
    else
      complete+=("$word")
      complete_texts+=("$word  -- ${answer#*$'\t'}")
    fi
  done
  (( ${#complete} + ${#open} )) || return 1
  if (( ${#complete} )); then compadd -l -d complete_texts -- "${complete[@]}"; fi
  if (( ${#open} )); then compadd -S '' -l -d open_texts -- "${open[@]}"; fi
}
if [[ ${funcstack[1]} == _weft ]]; then _weft "$@"; else compdef _weft weft; fi
)";

constexpr const char* FishScript = R"(# Completion of weft for fish. Printed by: weft completion fish
function __weft_complete
  set -l words (commandline -opc)
  set -l typed (commandline -ct | string unescape --style=script)
  set -l answers ($words[1] completion fish -- $words[2..-1] "$typed" 2>/dev/null)
  set -l before (string match -r -- '^--[^=]*=' "$typed")
  set -l rest (string replace -- "$before" '' "$typed")
  switch $answers[1]
    case files
      for path in (__fish_complete_path "$rest" | string replace -r '\t.*' '')
        echo "$before$path"
      end
    case directories
      for path in (__fish_complete_directories "$rest" | string replace -r '\t.*' '')
        echo "$before$path"
      end
    case '*'
      printf '%s\n' $answers[2..-1]
  end
end
complete -c weft -f -a '(__weft_complete)'
)";

struct completion_options {
  std::string shell;
  std::vector<std::string> words;
};

void print_completion(const completion& found) {
  switch (found.what) {
    case completion::kind::Files:
      std::cout << "files\n";
      return;
    case completion::kind::Directories:
      std::cout << "directories\n";
      return;
    case completion::kind::Words:
      break;
  }
  std::cout << "words\n";
  for (const completion::candidate& one : found.candidates)
    std::cout << fmt::format("{}\t{}\n", one.word, printable(one.description));
}

int do_completion(const command_set& commands, const completion_options& options) {
  if (!options.words.empty())
    print_completion(complete(commands, options.words));
  else
    std::cout << (options.shell == "bash" ? BashScript : options.shell == "zsh" ? ZshScript : FishScript);
  return Done;
}

}  // namespace

void add_completion(command_set& commands) {
  const auto options = std::make_shared<completion_options>();
  CLI::App& command = commands.add("completion", "Prints a script with which a shell completes commands of weft.",
                                   CompletionHelp, [options, &commands] { return do_completion(commands, *options); });
  command.add_option("SHELL", options->shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command.add_option("WORDS", options->words, "the words of a command line after `weft`; the last may be empty");
}

}  // namespace weft::experiment
