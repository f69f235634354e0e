#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants one violation of each kind in a tree of a few files: scripts/check must report each, and pass the rest.

planted.py [CHECK ...]    default: all
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import planted_subset

HOME = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(HOME / "scripts"))
from checks import manifests, words  # noqa: E402
from checks.tree import Tree  # noqa: E402

CHECK = HOME / "scripts" / "check"
SPDX = "SPDX-License-Identifier: Apache-2.0"
C = f"// {SPDX}\n"
H = f"# {SPDX}\n"


def cpp(body, room="weft", before=""):
    return f"{C}#pragma once\n\n{before}namespace {room} {{\n\n{body}\n\n}}  // namespace {room}\n"


RULES = """core                  weft
core/deep             -
core/wide             -               core/deep
pin                   weft::pin       core
collectives/schedule  weft::schedule  core
app                   -
<systemc              pin
"""
SUM = C + """#include "weft/core/sum.h"

namespace weft {

int sum(int a, int b) { return a + b; }

}  // namespace weft
"""
PAGE = "# A page\n\n## A part\n\nText.\n"
# The table of terms is that of the project.
STYLE = "# Style\n\n" + "\n".join(row[0] for row in words.ROW.finditer(Tree(HOME).text(words.STYLE))) + "\n"
NAMES = words.terms(Tree(HOME), 2)
PROSE = words.terms(Tree(HOME), 3)
TOOL = f"#!/usr/bin/env bash\n{H}echo \"$1\"\n"
CLEAN = {
    "systemc/rooms.txt": RULES,
    "systemc/weft/core/sum.h": cpp("int sum(int a, int b);"),
    "systemc/weft/core/sum.cpp": SUM,
    "systemc/weft/core/deep/one.h": cpp("constexpr int One = 1;"),
    "systemc/weft/core/wide/two.h": cpp("constexpr int Two = One + 1;", before='#include "weft/core/deep/one.h"\n\n'),
    "systemc/weft/pin/wire.h": cpp("inline int wire() { return sum(1, 2); }", room="weft::pin",
                                   before='#include "weft/core/sum.h"\n\n'),
    "systemc/weft/collectives/schedule/plan.h": cpp("inline int plan() { return sum(1, 2); }", room="weft::schedule",
                                                    before='#include "weft/core/sum.h"\n\n'),
    "systemc/app/main.cpp": C + "int main() { return 0; }\n",
    words.STYLE: STYLE,
    "docs/README.md": "# Pages\n\n[Style](04_developer/style.md), [a page](page.md#a-part), ![a figure](figures/figure.svg),\n"
                      "[a report](report.md#numbers), [that\npage][1], [1].\n\n"
                      "[1]: page.md\n\n"
                      "<!-- of tests/help.h -->\n```cpp\n  #pragma once\n```\n",
    "docs/page.md": PAGE,
    "docs/report.in.md": "# A report\n\n## Numbers\n\n{{number}} ![made](figures/made.svg)\n",
    "docs/made.toml": H + "\"figures/made.svg\" = \"true\"\n",
    "docs/figures/figure.svg": "<svg/>\n",
    "tests/help.h": C + "#pragma once\n",
    "tool.sh": TOOL,
    "CMakeLists.txt": H + "project(tree)\n",
    **planted_subset.CLEAN,
}
COPIED = [".clang-format", ".clang-tidy", "rtl/lint/check.sh", "rtl/lint/verilator.vlt", "rtl/weft_pkg.sv",
          "rtl/weft_assert.svh", "rtl/router/weft_round_robin_arbiter.sv"]
RTL_LIST = "+incdir+.\nweft_pkg.sv\nrouter/weft_round_robin_arbiter.sv\n"
MODULE = C + """module weft_queue_counter (
  input  logic [3:0] a_i,
  output logic [2:0] b_o
);
  assign b_o = a_i;
endmodule
"""

PORTS = C + """`default_nettype none
module planted (
  input  wire logic a_i,  // an input
  output logic b_o,
  inout wire c_io
);
endmodule
`default_nettype wire
"""


def long_function(lines, head="inline int many(int n)", end=""):
    return head + " {\n" + "  n += n;\n" * (lines - 3) + "  return n;\n}" + end


# check, file, its text (None: delete it), expected finding: a regular expression that begins with file and line
CORE = "systemc/weft/core/planted.h"
PLANTED = [
    ("format", CORE, cpp("int  planted();"), rf"{CORE}:\d+: not laid out"),
    ("shell", "planted.sh", f"#!/usr/bin/env bash\n{H}echo $1\n", r"planted.sh:3: .*SC2086"),
    ("licence", CORE, "#pragma once\n", rf"{CORE}:1: the license line is missing"),
    ("licence", "planted.sh", "#!/usr/bin/env bash\n\necho\n", r"planted.sh:2: the license line is missing"),
    ("licence", "planted.cmake", "set(planted 1)\n", r"planted.cmake:1: the license line is missing"),
    ("licence", "planted.h.in", "# SPDX-License-Identifier: Apache-2.0\n", r"planted.h.in:1: the license line is missing. .*'//"),
    ("licence", "planted.pc.in", "Name: planted\n", r"planted.pc.in:1: the license line is missing"),
    ("licence", "planted.abc", "strash\n", r"planted.abc:1: the license line is missing"),
    ("licence", "planted.yaml", "planted: 1\n", r"planted.yaml:1: the license line is missing"),
    ("licence", ".clang-tidy", "Checks: planted\n", r".clang-tidy:1: the license line is missing"),
    ("length", CORE, cpp("int planted();\n" * 400), rf"{CORE}: 407 lines, at most 400"),
    ("length", "tests/planted.cpp", C + "int planted();\n" * 601, r"tests/planted.cpp: 601 lines, at most 600"),
    ("length", "rtl/planted.sv", C + "// planted\n" * 601, r"rtl/planted.sv: 601 lines, at most 600"),
    ("length", "docs/README.md", CLEAN["docs/README.md"] + "Text.\n" * 300, r"docs/README.md: 312 lines, at most 300"),
    ("lines", CORE, cpp("// " + "planted " * 20), rf"{CORE}:\d+: 16\d columns, at most 120"),
    ("lines", "docs/page.md", PAGE + "planted " * 21 + "\n", r"docs/page.md:6: 168 columns, at most 160"),
    ("functions", CORE, cpp(long_function(61)), rf"{CORE}:6: function many has 61 lines"),
    ("functions", CORE, cpp("struct planted {\n  planted() : m_a{1} {\n" + "    ++m_a;\n" * 60 + "  }\n  int m_a;\n};"),
     rf"{CORE}:7: function planted has 62 lines"),
    ("functions", CORE, cpp("enum colour : int;\n\n" + long_function(61, "inline enum colour many(int n) noexcept")),
     rf"{CORE}:8: function many has 61 lines"),
    ("functions", CORE, cpp(long_function(61, "constexpr auto Many = [](int n) mutable -> int", ";")),
     rf"{CORE}:6: function Many has 61 lines"),
    ("functions", CORE, cpp("struct planted {\n" + long_function(62, "int (*many)(int) = [](int n)", ";") + "\n};"),
     rf"{CORE}:7: function lambda has 62 lines"),
    ("functions", CORE, cpp(long_function(63, 'const row Rows[] = {\n{"a", {}, [](int n)', "}};")),
     rf"{CORE}:7: function lambda has 63 lines"),
    ("functions", CORE, cpp("struct planted {\n" + long_function(62, "planted(int k) : m_f([k](int n)", "), m_k{k} {}") + "\n};"),
     rf"{CORE}:7: function lambda has 62 lines"),
    ("functions", "scripts/checks/long_functions.txt", "systemc/weft/core/sum.cpp sum\n",
     r"scripts/\S+:1: .*no function sum"),
    ("includes", CORE, cpp("", before='#include "weft/pin/wire.h"\n\n'), rf"{CORE}:4: core includes weft/pin/wire.h"),
    ("includes", "systemc/weft/core/deep/planted.h", cpp("", before='#include "weft/core/wide/two.h"\n\n'),
     r"systemc/weft/core/deep/planted.h:4: core/deep includes weft/core/wide/two.h"),
    ("includes", CORE, cpp("", before="#include <systemc>\n\n"), rf"{CORE}:4: core includes <systemc>"),
    ("includes", CORE, cpp("", before="#include <weft/pin/wire.h>\n\n"), rf"{CORE}:4: core includes weft/pin/wire.h"),
    ("includes", CORE, cpp("", before='#include "systemc"\n\n'), rf"{CORE}:4: core includes systemc, which only"),
    ("includes", CORE, cpp("", before='#include "../../../tests/help.h"\n\n'),
     rf"{CORE}:4: core includes ../../../tests/help.h, which is in no room"),
    ("includes", "systemc/weft/pin/wire.h",
     cpp("", room="weft::pin", before='#include "weft/collectives/schedule/plan.h"\n#include "weft/core/sum.h"\n\n'),
     r"systemc/weft/pin/wire.h:4: pin includes weft/collectives/schedule/plan.h"),
    ("includes", "systemc/rooms.txt", RULES + "ghost weft\n", r"systemc/rooms.txt: there is no folder ghost"),
    ("includes", CORE, cpp("", before='#include "weft/core/planted.h"\n\n'), rf"{CORE}:4: cyclic includes"),
    ("includes", "systemc/weft/foreign/planted.h", cpp(""),
     r"systemc/weft/foreign/planted.h: the folder foreign has no rule"),
    ("includes", "systemc/rooms.txt", RULES.replace("weft\n", "weft pin\n", 1),
     r"systemc/rooms.txt:1: core may include pin, but no line above this one has the rule of pin"),
    ("includes", "systemc/rooms.txt", RULES.replace("app                   -\n", "app - core pin\n"),
     r"systemc/rooms.txt:6: app may include core, but no file of app does.*:6: app may include pin, but"),
    ("includes", "systemc/weft/core/wide/two.h", cpp("constexpr int Two = 2;"),
     r"systemc/rooms.txt:3: core/wide may include core/deep, but no file of core/wide does"),
    ("includes", "systemc/rooms.txt", RULES.replace("<systemc              pin", "<systemc pin app"),
     r"systemc/rooms.txt:7: app may include systemc, but no file of app does"),
    ("namespaces", "systemc/weft/pin/planted.h", cpp("int planted();"),
     r"systemc/weft/pin/planted.h:4: namespace weft in pin"),
    ("namespaces", CORE, cpp("namespace planted {\nint planted();\n}"), rf"{CORE}:6: a namespace planted within"),
    ("namespaces", CORE, C + "#pragma once\n\nint planted();\n", rf"{CORE}:4: a declaration outside of any namespace"),
    ("namespaces", CORE, cpp("int one();") + "\nnamespace {\nint planted();\n}\n",
     rf"{CORE}:10: a declaration outside of any namespace"),
    ("namespaces", CORE, cpp("using namespace planted;"), rf"{CORE}:6: a header opens namespace planted"),
    ("namespaces", "tests/help.h", C + "#pragma once\n\nusing namespace weft;\n",
     r"tests/help.h:4: a header opens namespace weft"),
    ("namespaces", CORE, cpp("}"), rf"{CORE}:\d+: braces do not match"),
    ("text", CORE, cpp("int planted(); "), rf"{CORE}:6: blanks at the end"),
    ("text", CORE, cpp("\tint planted();"), rf"{CORE}:6: a tab"),
    ("text", CORE, cpp("int planted();") + "\n", rf"{CORE}:\d+: there are empty lines at the end"),
    ("text", CORE, cpp("int planted();").rstrip(), rf"{CORE}:\d+: the last line has no line feed"),
    ("text", CORE, cpp("int planted();  // TODO: more"), rf"{CORE}:6: a mark of unfinished work, 'TODO'"),
    ("text", "docs/page.md", PAGE + "See /home/someone/notes.\n", r"docs/page.md:6: a path of one machine"),
    ("text", "tool.sh", TOOL + "c++ -I/home/someone/inc a.cpp\n", r"tool.sh:4: a path of one machine"),
    ("text", CORE, cpp("int planted();  // @todo more"), rf"{CORE}:6: a mark of unfinished work"),
    ("text", CORE, cpp("int planted();").replace("\n", "\r\n"), rf"{CORE}:1: lines end as on Windows"),
    ("text", "tool.sh", TOOL + "curl https://10.0.0.1/simple\n",
     r"tool.sh:4: a host that packages come from, '10.0.0.1'"),
    ("text", "tool.sh", TOOL + "pip install -i pypi.org\n", r"tool.sh:4: a host that packages come from, 'pypi.org'"),
    ("text", CORE, cpp("\n".join(f"int planted_{word};" for word in NAMES)),
     "".join(rf"{CORE}:{line}: the name 'planted_{word}' has '{word}'\. Use the term [^\n]+\n" for line, word in enumerate(NAMES, 6)) + "$"),
    ("text", "rtl/planted.sv", C + "// An input that asks.\nlogic wanted_i;\n",
     r"rtl/planted.sv:3: the name 'wanted_i' has 'wanted'\. [^\n]+\nrtl/planted.sv:2: the text has 'asks'\."),
    ("text", "docs/page.md", PAGE + "".join(f"The module {word}.\n" for word in PROSE),
     "".join(rf"docs/page.md:{line}: the text has '{word}'\. Use the term [^\n]+\n" for line, word in enumerate(PROSE, 6)) + "$"),
    ("text", CORE, cpp("int planted();  // tells all"), rf"{CORE}:6: the text has 'tells'"),
    ("text", "tool.py", f'{H}"""What it is told."""\n', r"tool.py:2: the text has 'told'"),
    ("ports", "rtl/planted.sv", PORTS.replace("wire logic", "logic", 1), r"rtl/planted.sv:4: an input port without net type"),
    ("ports", "rtl/planted.sv", PORTS.replace("inout wire", "inout"), r"rtl/planted.sv:6: an input port without net type"),
    ("ports", "rtl/planted.sv", PORTS.replace("`default_nettype none\n", "\n"), r"rtl/planted.sv: undeclared nets"),
    ("manifests", "Bender.yml", "package:\n", r"Bender.yml: differs from the file generated from rtl/files.f"),
    ("manifests", "rtl/files.f", RTL_LIST + "router/planted.sv\n", r"Bender.yml: differs .*rtl/weft.core: differs"),
    ("files", "systemc/weft/core/planted.inl", "int planted();\n", r"systemc/weft/core/planted.inl: a C\+\+ file that no"),
    ("files", "docs/figures/made.svg", "<svg/>\n", r"docs/figures/made.svg: a generated or binary file"),
    ("files", "waves.vcd", "planted\n", r"waves.vcd: a generated or binary file"),
    ("files", "planted.dat", "\0\1", r"planted.dat: a binary file"),
    ("files", "planted.txt", "planted\n" * 70000, r"planted.txt: 546 KiB, at most 512"),
    ("links", "docs/page.md", PAGE + "[Nothing](nothing.md)\n", r"docs/page.md:6: a link to nothing.md"),
    ("links", "docs/page.md", PAGE + "[Nothing](#nothing)\n", r"docs/page.md:6: .*no such heading"),
    ("links", "docs/page.md", PAGE + "[Nothing\nat all](nothing.md)\n", r"docs/page.md:7: a link to nothing.md"),
    ("links", "docs/page.md", PAGE + "- [Nothing](\n    nothing.md)\n", r"docs/page.md:7: a link to nothing.md"),
    ("links", "docs/page.md", PAGE + "[![Nothing](figures/figure.svg)](nothing.md)\n", r"docs/page.md:6: a link to nothing.md"),
    ("links", "docs/page.md", PAGE + "[Something][nothing]\n", r"docs/page.md:6: the label \[nothing\] has no target"),
    ("links", "docs/page.md", PAGE + "[Some\nthing][]\n", r"docs/page.md:7: the label \[some thing\] has no target"),
    ("links", "docs/page.md", PAGE + "[One][label], [label].\n\n[label]: nothing.md\n", r"docs/page.md:8: a link to nothing.md"),
    ("links", "docs/page.md", PAGE + "[planted]: page.md\n", r"docs/page.md:6: the label \[planted\] is used by no link"),
    ("links", "systemc/weft/pin/page.h", "class page : public sc_core::sc_module {};\n", r"docs/page.md: the page of a module shows no figure"),
    ("snippets", "docs/page.md", PAGE + "<!-- of tests/nothing.h -->\n```cpp\n#pragma once\n```\n", r"docs/page.md:6: code of tests/nothing.h, which"),
    ("snippets", "docs/page.md", PAGE + "<!-- of tests/help.h -->\n```cpp\n#pragma twice\n```\n", r"docs/page.md:6: this code is not in tests/help.h"),
    ("links", "docs/lost.md", "# Lost\n", r"docs/lost.md: no link leads here"),
    ("links", "docs/figures/lost.svg", "<svg/>\n", r"docs/figures/lost.svg: no page shows"),
    ("links", "docs/lost.in.md", "# Lost\n", r"docs/lost.md: no link leads here"),
    ("links", "docs/report.in.md", CLEAN["docs/report.in.md"] + "[Nothing](nothing.md)\n", r"docs/report.in.md:6: a link to nothing.md"),
    ("links", "docs/report.in.md", "# A report\n![made](figures/made.svg)\n", r"docs/README.md:4: .*no such heading"),
    ("links", "docs/made.toml", CLEAN["docs/made.toml"] + "\"lost.md\" = \"true\"\n", r"docs/lost.md: no link leads here"),
    ("links", "docs/figures/lost.json", "{}\n", r"docs/figures/lost.svg: no page shows"),
    ("links", "docs/figures/contract_waves.toml", "[figures.lost]\n", r"docs/figures/wave_lost.svg: no page shows"),
    ("headers", CORE, cpp("std::string planted();"), rf"{CORE}: does not compile alone: .*std"),
    ("headers", "systemc/weft/core/sum.cpp",
     SUM.replace("#include", "#include <string>\n\n#include", 1),
     r"systemc/weft/core/sum.cpp:2: its own header does not come first"),
    ("rtl", "rtl/nic/weft_queue_counter.sv", MODULE, r"rtl/nic/weft_queue_counter.sv: rtl/files.f does not list it"),
    ("rtl", "rtl/nic/weft_queue_counter.sv +", MODULE, r"rtl/nic/weft_queue_counter.sv:6: .*3 bits"),
    ("rtl", "rtl/nic/weft_planted.sv +", MODULE.replace("queue_counter", "planted"),
     r"rtl/lint/check.sh: weft_planted fails: .*no set of"),
    ("tidy", CORE, cpp("inline bool planted(int a) { return a == 1 || a == 1 ? true : true; }"),
     rf"{CORE}:6: .*bugprone"),
    ("tidy", CORE, cpp("inline int Planted() { return 1; }"), rf"{CORE}:6: .*readability-identifier-naming"),
    *planted_subset.PLANTED,
]


def write(root, path, content):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode())
    if path.endswith(".sh"):
        file.chmod(0o755)


@contextlib.contextmanager
def clean_tree():
    with tempfile.TemporaryDirectory(prefix="weft_check_") as folder:
        root = pathlib.Path(folder, "tree")
        for path, content in CLEAN.items():
            write(root, path, content)
        for path in COPIED:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(HOME / path, root / path)
        write(root, "rtl/files.f", RTL_LIST)
        for path, content in manifests.manifests_of(Tree(root)).items():
            write(root, path, content)
        yield root


def check(root, *names):
    done = subprocess.run([CHECK, "--root", root, *names], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def fail(text):
    sys.exit(f"planted.py: {text}")


def try_planted(root, name, where, content, expected):
    path, _, listed = where.partition(" ")
    file = root / path
    before = file.read_bytes() if file.exists() else None
    write(root, path, content)
    if listed:
        write(root, "rtl/files.f", RTL_LIST + path[len("rtl/"):] + "\n")
    status, out, err = check(root, name)
    if status != 1 or not re.match(expected, out, re.DOTALL):
        fail(f"'{name}' did not find what was planted in {path}\n"
             f"  expected: status 1, {expected}\n  status {status}\n{out}{err}")
    write(root, "rtl/files.f", RTL_LIST)
    file.unlink() if before is None else file.write_bytes(before)


def main():
    status, out, _ = check(HOME, "--help")
    names = re.findall(r"^  (\w+) +[A-Z]", out, re.MULTILINE)
    if status != 0 or set(names) != {name for name, *_ in PLANTED}:
        fail(f"these checks, or violations, have no counterpart: {set(names) ^ {name for name, *_ in PLANTED}}")
    for wrong in (["planted"], ["--root", os.devnull], ["--jobs", "0"], ["--planted"]):
        if check(HOME, *wrong)[0] != 2:
            fail(f"scripts/check {' '.join(wrong)} is wrong usage, but its status is not 2")
    chosen = sys.argv[1:] or names
    with clean_tree() as root:
        status, out, err = check(root, *chosen)
        if status != 0 or out:
            fail(f"something is found in a clean tree, status {status}:\n{out}{err}")
        planted = [violation for violation in PLANTED if violation[0] in chosen]
        for violation in planted:
            try_planted(root, *violation)
        status, out, err = check(root, "quick")
        if status != 0:
            fail(f"the tree is not clean again:\n{out}{err}")
    print(f"planted.py: {len(planted)} planted violations of {len(set(chosen))} checks are found")


if __name__ == "__main__":
    main()
