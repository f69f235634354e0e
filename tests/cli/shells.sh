#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shells.sh WEFT SHELL: completes command lines in bash, zsh or fish with the script of `weft completion SHELL`. With
# "manual" as SHELL, checks the manual pages with mandoc and man. Exit status 77 if the program is not installed.
set -euo pipefail
weft=$1 shell=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/bin" "$place/folder"
ln -s "$weft" "$place/bin/weft"
export PATH=$place/bin:$PATH SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 HOME=$place
cd "$place"
touch 'a mesh.yaml' folder/deep.yaml

if [ "$shell" = manual ]; then
  command -v mandoc >/dev/null || exit 77
  weft manual -o man
  # The pages have no date, so that they depend on nothing but the program.
  if mandoc -Tlint -Wwarning man/* | grep -v 'missing date'; then exit 1; fi
  for page in man/*; do
    [ "$(mandoc -Tutf8 "$page" | wc -l)" -gt 15 ]
    if command -v man >/dev/null && man --warnings -l -Tutf8 -Z "$page" 2>&1 >/dev/null | grep warning; then exit 1; fi
  done
  exit
fi
command -v "$shell" >/dev/null || exit 77
weft completion "$shell" >script
"$shell" -n script

# completed WORD…: what the shell offers for the last word, one per line, sorted.
case $shell in
  bash)
    completed() {
      bash -c 'source ./script
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _weft && printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort
    }
    ;;
  fish) completed() { fish -c 'source ./script; complete -C "'"$*"'"' | cut -f1 | sort; } ;;
  zsh)  # outside of an editor, the functions of completion print their arguments
    completed() {
      zsh -fc 'compdef() { :; }
        source ./script
        compset() { :; }
        _files() { print -l -- ${words[CURRENT]##--*=}*; }
        compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -l -- "$@"; }
        words=("$@") CURRENT=$#; _weft' zsh "$@" | sort
    }
    ;;
esac
# expect 'OFFERED …' WORD…
expect() {
  local expected=$1 offered
  shift
  offered=$(completed "$@" | paste -sd' ')
  [ "$offered" = "$expected" ] && return
  printf "%s: %s: expected '%s', got '%s'\n" "$shell" "$*" "$expected" "$offered"
  exit 1
}
expect saturation weft sat
expect '--seed --set' weft run --se
if [ "$shell" = bash ]; then  # bash splits words at =, and replaces only the part after it
  expect mesh weft run a --set network.topology.kind = me
  expect 'axi streams' weft topology --nics = ''
  expect folder weft run --output = fo
  expect 'a mesh.yaml' weft run a
  expect 'network.routing.algorithm=' weft run a --set "'network.routing.alg"
else
  expect network.topology.kind=mesh weft run a --set network.topology.kind=me
  expect '--nics=axi --nics=streams' weft topology --nics=
fi
expect network.routing.algorithm= weft run a --set network.routing.alg
if [ "$shell" = fish ]; then
  expect '--output=folder/' weft run --output=fo
  expect folder/deep.yaml weft run folder/d
elif [ "$shell" = zsh ]; then
  expect 'a mesh.yaml' weft run a
fi
