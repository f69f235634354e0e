# SPDX-License-Identifier: Apache-2.0
"""What the functions that processes reach are made of: one check for each kind of declaration, statement and expression."""
import re

from checks import loops, syntax
from checks.constants import Constants, is_const
from checks.expressions import (assignments_in, assigns, callee, changed, counts, every, is_changeable, is_const_method, is_indexed,
                                is_made_by_compiler, named_by, parameters_of, reinterprets, returned)
from checks.hardware import FOREIGN, is_module, is_virtual
from checks.syntax import children, name_of, stripped, type_of

LOOPS = ("ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt")
CALLS = ("CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr")
CONSTRUCTIONS = ("CXXConstructExpr", "CXXTemporaryObjectExpr")
EDGES = ("posedge", "negedge", "event")
OF_SIGNALS = re.compile(r"read|write|wait|get_interface|operator.*")  # what is translated of ports and signals
OF_BITS = ("range", "bit")
OF_NO_NUMBER = re.compile(r"to_string|print|scan|dump")


class Statements:
    """Goes through functions. Who derives from it says what becomes of a violation (`add`) and of types (`use`, `container`)."""

    def __init__(self, source):
        self.source = source
        self.constants = Constants(source)
        self.reached = {}  # id of a function → ids of those that it calls, ids of fields that it names
        self.bounds, self.arguments = [], []  # of loops; (parameter, argument) of calls
        self.changes = {}  # id of a variable → an expression that changes it

    def function(self, function):
        if is_made_by_compiler(function):
            return
        self.calls, self.named = self.reached[function["id"]]
        kind = returned(function)
        self.is_void = kind == "void"
        self.is_assignment = function["name"] == "operator="
        self.use(kind)
        for parameter in parameters_of(function):
            self.container(parameter)
            if not parameter.get("name"):
                self.add(function, "unnamed-parameter", f"{function['name']} has a parameter without a name")
        self.last = self.last_statements(function)
        for child in children(function):
            self.statement(child, None)

    def last_statements(self, function):
        """Behind which nothing more of a function is done."""
        bodies = [child for child in children(function) if child["kind"] == "CompoundStmt"]
        last, open_statements = set(), bodies
        while open_statements:
            node = open_statements.pop()
            last.add(node["id"])
            if node["kind"] == "CompoundStmt":
                open_statements += children(node)[-1:]
            elif node["kind"] == "IfStmt":
                open_statements += children(node)[1:]
        return last

    def statement(self, node, loop):
        """\\p loop the loop or switch that the statement is in."""
        kind = node["kind"]
        check = getattr(self, f"on_{kind}", None)
        if check is not None:
            check(node, loop)
        if kind in CALLS:
            self.chained(node, children(node)[1:])
            self.call(node)
        if re.fullmatch(r"(const )?(float|(long )?double)( &&?)?", type_of(node)):
            self.add(node, "floating-point", "a number with a point")
        if "castKind" in node and kind != "ImplicitCastExpr" and reinterprets(node):
            self.add(node, "reinterpretation", "bits are taken for those of another type")
        self.changes.update((variable, node) for variable in changed(node))
        inner = children(node)
        if kind == "LambdaExpr":
            inner = [child for child in inner if child["kind"] == "CompoundStmt"]
        if kind == "CXXForRangeStmt":  # the loop that the compiler makes of it is not the author's
            inner = inner[-1:]
        for child in inner:
            self.statement(child, node if kind in LOOPS or kind == "SwitchStmt" else None if kind == "LambdaExpr" else loop)

    # Calls

    def call(self, node):
        named = callee(node)
        function = self.source.functions.get(named.get("id"))
        if function is not None:
            self.calls.append(function["id"])
            if is_virtual(self.source, named["id"]):
                self.add(node, "virtual", f"{named['name']} is virtual")
            is_operator = node["kind"] == "CXXOperatorCallExpr"
            self.hand(function, children(node)[2 if is_operator and function["kind"] == "CXXMethodDecl" else 1:])
            return
        name = named.get("name", "")
        declared = self.source.declared.get(named.get("id"), {})
        if declared.get("kind") in syntax.FUNCTIONS and not is_made_by_compiler(declared):
            self.add(node, "unseen", f"{name} is called, of which the body is in another source")
        if declared or name in ("operator()", ""):
            return  # of the compiler's making, or a lambda, which is found where it is written
        self.foreign_call(node, name)

    def foreign_call(self, node, name):
        inner = children(node)
        of = inner[1] if node["kind"] == "CXXOperatorCallExpr" else stripped(inner[0])
        if node["kind"] == "CXXMemberCallExpr" and children(of):
            of = children(of)[0]
        kind = type_of(of)
        is_hardware = node["kind"] != "CallExpr" and FOREIGN.search(kind) and (
            OF_SIGNALS.fullmatch(name) if "sc_core::" in kind else not OF_NO_NUMBER.fullmatch(name))
        if name.startswith("__builtin"):
            self.add(node, "builtin", f"{name} is called")
        elif name in EDGES and FOREIGN.search(kind):
            self.add(node, "method", f"a process that asks for an edge, by {name}()")
        elif is_hardware or (name == "operator[]" and "std::array" in kind) or (name == "wait" and "weft::" in kind):
            self.use(kind)
        elif not self.source.record_names(kind) or name not in ("operator=", "operator=="):
            self.add(node, "foreign-call", f"{name} of another library is called")

    def hand(self, function, arguments):
        if is_made_by_compiler(function):
            return
        for parameter, argument in zip(parameters_of(function), arguments):
            self.refer(parameter, argument)
            self.arguments.append((parameter, argument))

    def refer(self, name, to):
        if is_changeable(name):
            self.changes.update((variable, to) for variable in named_by(to))
        if type_of(name).endswith("&") and is_indexed(to):
            self.add(to, "indexed-reference", f"{name_of(name)} refers to one of several")

    def on_CXXConstructExpr(self, node, _):
        for name in self.source.record_names(type_of(node)):
            if is_module(self.source, name):
                continue
            self.use(name)
            for child in self.source.methods(name):
                function = self.source.functions.get(child["id"])
                if (child["kind"] != "CXXConstructorDecl" or is_made_by_compiler(child)
                        or child["type"]["qualType"] != node["ctorType"]["qualType"]):
                    continue
                if function is None:
                    self.add(node, "unseen", f"{child['name']} is called, of which the body is in another source")
                    continue
                self.calls.append(function["id"])
                self.hand(function, children(node))
        if node.get("list"):
            self.add(node, "list-initialiser", "an initialiser in braces")

    on_CXXTemporaryObjectExpr = on_CXXConstructExpr

    def on_LambdaExpr(self, node, _):
        self.add(node, "lambda", "a lambda")

    def on_ReturnStmt(self, node, loop):
        if loop is not None:
            self.add(node, "return-in-loop", "a return within a loop or a switch")
        elif self.is_void or node["id"] not in self.last:
            self.add(node, "early-return", "a return before the end of a function")
        self.chained(node, children(node))
        if children(node) and children(node)[0]["valueCategory"] == "lvalue" and not self.is_assignment:
            self.add(node, "reference", "a reference is returned")
        if children(node) and type_of(children(node)[0]).startswith(("std::array<", "const std::array<")):
            self.add(node, "array-parameter", "an array is returned")
        if children(node) and self.is_made_here(children(node)[0]):
            self.add(node, "returned-record", "a record is made in a return")

    def is_made_here(self, node):
        """Whether an expression is a record that is constructed of something else than its like."""
        node = stripped(node)
        records, inner = self.source.record_names(type_of(node)), children(node)
        return bool(records) and node["kind"] in CONSTRUCTIONS and (
            len(inner) != 1 or self.source.record_names(type_of(inner[0])) != records)

    def on_IfStmt(self, node, _):
        self.chained(node, [children(node)[node.get("hasInit", 0) + node.get("hasVar", 0)]])

    # Loops

    def on_CXXForRangeStmt(self, node, _):
        self.add(node, "range-for", "a loop over a range")

    def on_WhileStmt(self, node, _):
        if not loops.is_thread(node):
            self.add(node, "loop", "a while loop")

    def on_DoStmt(self, node, _):
        self.add(node, "loop", "a do loop")

    def on_ForStmt(self, node, _):
        wrong, bounds = loops.fault(node, self.constants)
        self.bounds += bounds
        if wrong:
            self.add(node, "loop", wrong)

    def on_GotoStmt(self, node, _):
        self.add(node, "goto", "a goto")

    # Operators

    def on_BinaryOperator(self, node, _):
        left, right = children(node)
        if node["opcode"] != ",":
            self.chained(node, [right] if assigns(node) else [left, right])
        self.divided(node, node["opcode"], right)
        if node["opcode"] in (".*", "->*"):
            self.add(node, "pointer", "a pointer to a member")
        if node["opcode"] == ",":
            self.add(node, "comma", "two expressions in one")
        if node["opcode"] in ("&&", "||") and not self.constants.is_fixed(left):
            self.effects(right)

    on_CompoundAssignOperator = on_BinaryOperator

    def on_CXXOperatorCallExpr(self, node, _):
        if FOREIGN.search(type_of(node)):
            self.divided(node, callee(node).get("name", "")[len("operator"):], children(node)[-1])

    def chained(self, node, values):
        """What takes such values makes no assignment that another expression makes."""
        if any(assigned for value in values for assigned in assignments_in(value)):
            self.add(node, "chained-assignment", "the value of an assignment is taken")

    def divided(self, node, opcode, divisor):
        if opcode in ("/", "%", "/=", "%=") and not self.constants.is_constant(divisor):
            self.add(node, "division", f"{opcode} by data")

    def on_ConditionalOperator(self, node, _):
        if self.source.record_names(type_of(node)):
            self.add(node, "conditional-record", "a record is chosen by ?:")
        condition, *choices = children(node)
        if self.constants.is_fixed(condition):  # one is chosen when hardware is built
            return
        for choice in choices:
            self.effects(choice)

    def effects(self, operand):
        """What changes something, where it depends on a condition that C++ looks at first."""
        for node in every(operand):
            if assigns(node) or counts(node):
                self.add(node, "effect", "an assignment within a condition")
            elif node["kind"] in CALLS and self.has_effect(node):
                self.add(node, "effect", f"{callee(node)['name']} is called within a condition")

    def has_effect(self, call):
        """Whether a call may change what it is called on, or an argument."""
        function = self.source.functions.get(callee(call).get("id"))
        if function is None:
            return call["kind"] == "CXXMemberCallExpr" and not is_const_method(call) and callee(call)["name"] not in OF_BITS
        is_method = function["kind"] == "CXXMethodDecl" and function.get("storageClass") != "static"
        return is_method and not re.search(r"\) const\b", function["type"]["qualType"]) or any(map(is_changeable, parameters_of(function)))

    def on_UnaryOperator(self, node, _):
        of_this = stripped(children(node)[0])["kind"] == "CXXThisExpr"
        if node["opcode"] == "&" or node["opcode"] == "*" and not of_this:
            self.add(node, "pointer", "a pointer")

    def on_ArraySubscriptExpr(self, node, _):
        if "*" in type_of(stripped(children(node)[0])):
            self.add(node, "pointer", "a pointer with an index")

    def on_InitListExpr(self, node, _):
        if type_of(node).startswith("std::array") or type_of(node).endswith("]"):
            self.add(node, "array-initialiser", "an array with an initialiser")
        else:
            self.add(node, "list-initialiser", "an initialiser in braces")

    def on_CXXNewExpr(self, node, _):
        self.add(node, "allocation", "memory is asked for")

    def on_CXXDeleteExpr(self, node, _):
        self.add(node, "allocation", "memory is given back")

    def on_CXXThrowExpr(self, node, _):
        self.add(node, "exception", "an exception")

    on_CXXTryStmt = on_CXXThrowExpr

    def on_CXXDynamicCastExpr(self, node, _):
        self.add(node, "virtual", "what a record is derived from is looked up")

    # Names

    def outlives(self, named):
        """A variable of a namespace or of a class: \\p named by its identity."""
        variable = self.source.declared.get(named, {})
        return variable.get("kind") == "VarDecl" and not is_const(type_of(variable))

    def on_DeclRefExpr(self, node, _):
        named = node["referencedDecl"]
        if self.outlives(named["id"]):
            self.add(node, "static-variable", f"{named['name']} outlives the module")
        if named["kind"] == "ParmVarDecl" and "std::array<" in type_of(node):
            self.add(self.source.declared.get(named["id"], node), "array-parameter", f"{named['name']} is an array")

    def on_VarDecl(self, node, _):
        initial = children(node)[0] if children(node) else None
        if type_of(node).startswith("const "):
            self.constants.values[node["id"]] = initial or node
        if (node.get("storageClass") == "static" or "tls" in node) and not (
                node.get("constexpr") or is_const(type_of(node)) and initial and self.constants.is_constant(initial)):
            self.add(node, "static-variable", f"{name_of(node)} outlives the function")
        self.use(type_of(node))
        self.container(node)
        if initial:
            self.refer(node, initial)
            self.chained(node, [initial])

    on_DecompositionDecl = on_VarDecl

    def on_MemberExpr(self, node, _):
        of_this = stripped(children(node)[0])["kind"] == "CXXThisExpr"
        if self.outlives(node["referencedMemberDecl"]):
            self.add(node, "static-variable", f"{node['name']} outlives the module")
        self.named.append(node["referencedMemberDecl"])
        if node["isArrow"] and not of_this:
            self.add(node, "pointer", "a pointer to a record")
