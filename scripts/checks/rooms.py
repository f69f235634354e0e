# SPDX-License-Identifier: Apache-2.0
"""Checks of the rules in systemc/rooms.txt: which folder may include which, and the namespace of each."""
import os
import re

from checks import cpp
from checks.tree import Finding, rows

RULES = "systemc/rooms.txt"


class Rooms:
    """The rules, and the errors in them."""

    def __init__(self, tree):
        self.namespaces, self.known, self.libraries, self.findings = {}, {}, {}, []
        self.permissions = []  # (line number, folder, the folder or library that it may include)
        if RULES not in tree.files:
            self._found(0, "the rules for includes are missing", "Write this file")
            return
        for number, words in rows(tree, RULES):
            folder = words[0]
            if folder.startswith("<"):
                self.libraries[folder[1:]] = words[1:]
                self.permissions += [(number, other, folder) for other in words[1:]]
                continue
            self.permissions += [(number, folder, other) for other in words[2:]]
            for other in words[2:]:
                if other not in self.known:
                    self._found(number, f"{folder} may include {other}, but no line above this one has the rule of {other}",
                                "Put each folder after the folders that it may include")
            if folder in self.known:
                self._found(number, f"{folder} has two rules", "Delete one")
            self.namespaces[folder] = words[1] if len(words) > 1 else "-"
            self.known[folder] = set(words[2:])
        for folder in list(self.known):
            if folder != self.room_of(folder):
                self.known[folder] |= self.known.get(self.room_of(folder), set())

    def _found(self, number, what, remedy):
        self.findings.append(Finding(RULES, number, what, remedy))

    def room_of(self, folder):
        """The room of a sub-folder: the first folder above it with a namespace, or the outermost one."""
        parts = folder.split("/")
        above = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
        return next((room for room in above if self.namespaces.get(room, "-") != "-"), parts[0])

    def allows(self, folder, other):
        room = self.room_of(folder)
        if other in (folder, room) or (folder == room and self.room_of(other) == room):
            return True
        known = self.known[folder]
        return other in known or (self.room_of(other) != room and self.room_of(other) in known)

    def folder_of(self, path):
        """The room or sub-folder of a file; None: there is no rule for it."""
        folder = os.path.dirname(path)
        if folder == "systemc/weft":
            return "weft"
        if folder.startswith("systemc/weft/"):
            return folder[len("systemc/weft/"):]
        if folder.startswith("systemc/app"):
            return "app"
        return "tb" if folder == "tb" or folder.startswith("tb/") else None


def sources(tree):
    return [p for p in tree.named(".h", ".cpp") if p.startswith(("systemc/", "tb/"))]


def resolve(tree, path, name, quoted=True):
    """The file of the tree that `path` includes as `name`, or None. A name in quotes may be relative to the file."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name)) if quoted else None
    for candidate in (f"systemc/{name}", name, f"tests/{name}", beside):
        if candidate in tree.files:
            return candidate
    return None


def includes(tree):
    """Includes between rooms follow systemc/rooms.txt and have no cycles; a file uses each permission there."""
    rooms = Rooms(tree)
    yield from rooms.findings
    if not rooms.known:
        return
    edges, included = {}, set()
    for path in sources(tree):
        folder = rooms.folder_of(path)
        if folder not in rooms.known:
            yield Finding(path, 0, f"the folder {folder} has no rule", f"List in {RULES} what it may include")
            continue
        edges[path] = []
        for number, name, quoted in cpp.includes(tree.text(path)):
            target = resolve(tree, path, name, quoted)
            if target is None:  # a header of a library, or a generated one
                included.update((folder, f"<{start}") for start in rooms.libraries if name.startswith(start))
                yield from library_findings(rooms, folder, path, number, name, quoted)
                continue
            edges[path].append((number, target))
            other = rooms.folder_of(target)
            included.add((folder, other or ""))
            if other is None and path.startswith("systemc/"):
                yield Finding(path, number, f"{folder} includes {name}, which is in no room", "Include a header of a room")
            elif other in rooms.known and not rooms.allows(folder, other):
                yield Finding(path, number, f"{folder} includes {name}, but may not include {other}",
                              f"Move the needed code to a room that both may include, or pass it in; the rules are in {RULES}")
    used = {rooms.folder_of(path) for path in edges}
    for folder in rooms.known:
        if not any(is_in(other, folder) for other in used):
            yield Finding(RULES, 0, f"there is no folder {folder}", "Delete its rule")
    yield from unused_permissions(rooms, included)
    yield from circles(edges)


def unused_permissions(rooms, included):
    """Permissions that no include uses. A permission covers the sub-folders of both rooms."""
    for number, folder, other in rooms.permissions:
        if not any(is_in(user, folder) and is_in(used, other) for user, used in included):
            yield Finding(RULES, number, f"{folder} may include {other.lstrip('<')}, but no file of {folder} does",
                          "Delete this permission")


def is_in(folder, outer):
    return folder == outer or folder.startswith(f"{outer}/")


def library_findings(rooms, folder, path, number, name, quoted):
    for start, folders in rooms.libraries.items():
        if name.startswith(start) and not {folder, rooms.room_of(folder)} & set(folders):
            yield Finding(path, number, f"{folder} includes {name if quoted else f'<{name}>'}, which only {', '.join(folders)} may include",
                          f"Use the interface of that room; the rules are in {RULES}")


def circles(edges):
    """Files that include themselves through others; each cycle once."""
    state = {}

    def visit(path, trail):
        state[path] = "open"
        for number, target in edges.get(path, []):
            if state.get(target) == "open":
                round_trip = trail[trail.index(target):] if target in trail else [path]
                yield Finding(path, number, "cyclic includes: " + " -> ".join([*round_trip, target]),
                              "Move the common part to a separate file")
            elif target not in state:
                yield from visit(target, trail + [target])
        state[path] = "done"

    for path in edges:
        if path not in state:
            yield from visit(path, [path])


EXTERNAL_NAMESPACES = ("std", "sc_core", "fmt", "tlm")  # namespaces that need specializations and overloads


def namespaces(tree):
    """Rooms that all levels share are in namespace weft, all others in a namespace of their name; sub-folders have none."""
    rooms = Rooms(tree)
    for path in tree.named(".h"):
        for number, name in cpp.opened(tree.text(path)):
            yield Finding(path, number, f"a header opens namespace {name} for all that include it", "Qualify the names instead")
    for path in sources(tree):
        folder = rooms.folder_of(path)
        wanted = rooms.namespaces.get(rooms.room_of(folder), "-")
        if wanted == "-":
            continue
        try:
            found = cpp.scopes(tree.text(path))
        except cpp.Unbalanced as error:
            yield Finding(path, error.args[0], "braces do not match", "Check conditional compilation around them")
            continue
        for number in cpp.outside(tree.text(path)):
            yield Finding(path, number, "a declaration outside of any namespace", f"Put it into namespace {wanted}")
        for scope in found:
            if scope.kind != "namespace" or scope.name in ("", "extern") or scope.name in EXTERNAL_NAMESPACES:
                continue
            if scope.depth == 0 and scope.name == wanted:
                continue
            if scope.name.endswith("detail") and (scope.depth == 1 or scope.name.startswith(f"{wanted}::")):
                continue  # of a header: names that are not for users
            if scope.name == "weft" and only_overloads(found, scope):
                continue
            if scope.depth == 0 and only_names(tree.text(path), scope):
                continue
            if scope.depth == 1 and f"weft::{scope.name}" == wanted:
                continue
            what = f"namespace {scope.name}" if scope.depth == 0 else f"a namespace {scope.name} within another"
            yield Finding(path, scope.first, f"{what} in {folder}, which is in {wanted}",
                          f"Use namespace {wanted}, and an unnamed one for names that no other file uses")


def only_overloads(found, scope):
    """Whether a namespace contains only functions that argument-dependent lookup must find in it."""
    within = [s for s in found if s.depth == scope.depth + 1 and scope.first <= s.first and s.last <= scope.last]
    names = [s.name for s in within if s.kind != "namespace"]
    return bool(names) and all(name in ("sc_trace", "traced") or name.startswith("operator") for name in names)


def only_names(text, scope):
    """Whether a namespace contains only declarations of types and aliases."""
    lines = cpp.blanked(text).splitlines()[scope.first - 1:scope.last]
    body = "\n".join(lines).partition("{")[2].rpartition("}")[0]
    name = r"(class|struct)\s+\w+|enum\s+class\s+\w+[^;{]*|using\s+\w+\s*=[^;{]*"
    return re.fullmatch(rf"(\s*(template\s*<[^;{{]*>\s*)?({name});\s*)+", body) is not None


def functions(tree):
    """A function of the model fits on a screen."""
    allowed = {}
    exceptions = "scripts/checks/long_functions.txt"
    if exceptions in tree.files:
        allowed = {tuple(words[:2]): number for number, words in rows(tree, exceptions)}
    for path in tree.named(".h", ".cpp", under="systemc/"):
        try:
            found = cpp.functions(tree.text(path))
        except cpp.Unbalanced:
            continue  # namespaces() reports it
        for name, line, number in found:
            if number > 60 and not allowed.pop((path, name), None):
                yield Finding(path, line, f"function {name} has {number} lines, at most 60",
                              "Split it into functions")
    for (path, name), number in allowed.items():
        yield Finding(exceptions, number, f"{path} has no function {name} of more than 60 lines", "Delete the line")
