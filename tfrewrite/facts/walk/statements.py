"""Statements of every sort: each takes the kinds of the names before it and leaves those after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast

from tfrewrite.facts.scopes import FUNCTIONS, Function, parameters
from tfrewrite.facts.walk.environment import Env
from tfrewrite.facts.walk.expressions import Expressions
from tfrewrite.facts.walk.kept_kinds import made_in, without_lists
from tfrewrite.facts.walk.taken_before import Passage
from tfrewrite.kinds import UNKNOWN, Kind, Sort, join_all, map_symbols


class Walk(Expressions):
    """One pass through the statements of a module or function."""

    def run(self) -> Passage:
        env = Env()
        if isinstance(self._unit, FUNCTIONS):
            self._enter(env)
        self._return_of_body(env)
        return Passage(self._record, self._returns, self._iterations, self.called_own)

    def followed(self, given: Env) -> Kind | None:
        """What one call of a function gives that hands this to its parameters; None where it never comes to an end."""
        self._apart = True
        self._return_of_body(given)
        mine = self._all.inside(self._unit)
        kinds = [map_symbols(without_lists(one), lambda symbol: None if made_in(symbol, mine) else symbol) for one in self._returns]
        return join_all(tuple(kinds)) if kinds else None

    def _return_of_body(self, env: Env) -> None:
        if isinstance(self._unit, gast.Lambda):
            self._returns.append(self._expression(self._unit.body, env))
        elif self._block(self._unit.body, env) is not None:
            self._returns.append(Kind(Sort.NONE))

    def _enter(self, env: Env) -> None:
        assert isinstance(self._unit, FUNCTIONS)
        for index, name in enumerate(parameters(self._unit)):
            if name.id not in self._scope.shared:  # else an inner function may give it anew
                env[name.id] = self._record[name] = self._given(self._unit, index, name)

    def _given(self, function: Function, index: int, name: gast.Name) -> Kind:
        return self._ask(lambda inference: inference.parameter(function, index, name))

    def _block(self, statements: Sequence[gast.stmt], env: Env | None) -> Env | None:
        for statement in statements:
            if env is None:
                # Never reached: its expressions are recorded as unknown.
                return None
            env = self._statement(statement, env)
        return env

    def _statement(self, statement: gast.stmt, env: Env) -> Env | None:
        match statement:
            case gast.Assign(targets=targets, value=value):
                self._learn_from_unpacking(targets, value, env)
                kind = self._expression(value, env)
                for target in targets:
                    self._bind(target, kind if len(targets) == 1 else without_lists(kind), env)
            case gast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._bind(target, self._expression(value, env), env)
            case gast.AugAssign(target=target, op=op, value=value):
                self._augmented(target, op, value, env)
            case gast.Expr(value=value):
                self._expression(value, env)
                self._learn_from_call(value, env)
                self._layer_added(value, env)
                self._appended(value, env)
            case gast.Return(value=value):
                self._returns.append(Kind(Sort.NONE) if value is None else self._expression(value, env))
                return None
            case gast.If(test=test, body=body, orelse=orelse):
                self._expression(test, env)
                holds, fails = env.copy(), env.copy()
                self._learn_from_test(test, True, holds)
                self._learn_from_test(test, False, fails)
                return self._join(statement, self._block(body, holds), self._block(orelse, fails))
            case gast.While(test=test, body=body, orelse=orelse):
                return self._loop(statement, env)
            case gast.For() | gast.AsyncFor():
                self._expression(statement.iter, env)
                return self._loop(statement, env)
            case gast.With(items=items, body=body) | gast.AsyncWith(items=items, body=body):
                return self._with(statement, items, body, env)
            case gast.Try(body=body) | gast.TryStar(body=body):
                return self._try(statement, env)
            case gast.Match(subject=subject, cases=cases):
                self._expression(subject, env)
                ends = [self._case(case, env) for case in cases]
                result: Env | None = env
                for end in ends:
                    result = self._join(statement, result, end)
                return result
            case gast.Break() | gast.Continue():
                if self._exits:
                    self._exits[-1].append(env.copy())
                return None
            case gast.Raise():
                self._children(statement, env)
                return None
            case gast.Assert(test=test):
                self._children(statement, env)
                self._learn_from_test(test, True, env)
            case gast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, gast.Name):
                        env.pop(target.id, None)
                    else:
                        self._children(target, env)
            case gast.FunctionDef() | gast.AsyncFunctionDef():
                for node in (*statement.decorator_list, *statement.args.defaults, *(one for one in statement.args.kw_defaults if one)):
                    self._expression(node, env)
                env[statement.name] = UNKNOWN
            case gast.ClassDef():
                for node in (*statement.decorator_list, *statement.bases, *(one.value for one in statement.keywords)):
                    self._expression(node, env)
                self._class_body(statement, env)
                env[statement.name] = UNKNOWN
            case gast.Import() | gast.ImportFrom():
                for alias in statement.names:
                    env[alias.asname or alias.name.partition(".")[0]] = UNKNOWN
            case _:
                self._children(statement, env)
        return env

    def _class_body(self, statement: gast.ClassDef, env: Env) -> None:
        inner = env.copy()
        outer_names, self._class_names = self._class_names, tuple(self._scopes.of[statement].bindings)
        for one in statement.body:
            after = self._statement(one, inner)
            inner = inner if after is None else after
        self._class_names = outer_names

    def _case(self, case: gast.AST, env: Env) -> Env | None:
        for node in gast.walk(case.pattern):
            if name := getattr(node, "name", None) or getattr(node, "rest", None):
                env[name] = UNKNOWN
        if case.guard is not None:
            self._perhaps(case.guard, env)
        # What a pattern has taken stays where its guard fails.
        return self._block(case.body, env.copy())

    def _with(self, statement: gast.AST, items: Iterable[gast.AST], body: Sequence[gast.stmt], env: Env) -> Env | None:
        known = True
        for item in items:
            kind = self._expression(item.context_expr, env)
            called = item.context_expr.func if isinstance(item.context_expr, gast.Call) else item.context_expr
            known = known and (self._names(called) or "").startswith("tensorflow.")
            if item.optional_vars is not None:
                self._bind(item.optional_vars, kind if kind.sort is Sort.TAPE else UNKNOWN, env)
        after = self._block(body, env.copy())
        # A context manager may swallow an exception: then not all of the body was run.
        return after if known else self._join(statement, after, self._forget(statement, env))

    def _try(self, statement: gast.AST, env: Env) -> Env | None:
        interrupted = self._forget(statement, env)
        left = len(self._exits[-1]) if self._exits else 0
        end = self._block(statement.body, env.copy())
        end = self._block(statement.orelse, end)
        for handler in statement.handlers:
            start = interrupted.copy()
            if isinstance(handler.name, gast.Name):
                start[handler.name.id] = UNKNOWN
            end = self._join(statement, end, self._block(handler.body, start))
        if statement.finalbody:
            # What leaves the loop from here runs it on its way.
            for leaving in self._exits[-1][left:] if self._exits else ():
                leaving.update(dict.fromkeys(self._assigned_in(statement.finalbody), UNKNOWN))
            after_end = self._block(statement.finalbody, end)
            # It runs after an exception too: of its expressions, what holds then is what holds.
            after = self._block(statement.finalbody, interrupted.copy())
            return None if after is None else after_end
        return end
