"""Statements that Django works out once, for the few that every request needs.

Django builds and compiles each query anew, which takes several times what the database takes for it: a fifth of the
time of a web process under load. What is said here is plain Django all the same (models, fields, their conversions);
only the text of the statement is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable, get_related_populators

M = TypeVar("M", bound=Model)

_NUMBERS = 1_900_000_000
"""Numbers from here on stand for values while a statement is compiled; they fit every column."""


_prepared: WeakSet[Prepared[Any]] = WeakSet()


def forget() -> None:
    """Has every statement worked out anew: for tests that change a table."""
    for each in _prepared:
        each._plans.clear()
    _field.cache_clear()
    _inserted.cache_clear()


class Prepared(Generic[M]):
    """A query compiled once, for values that change: `Prepared(make, str, int)` compiles what `make` gives for a text
    and a number, and each call of `all`, `first` or `rows` fills them in.

    Values stand for themselves in conditions; lists, slices and None do not. `make` is called at the first use.
    """

    def __init__(self, make: Callable[..., QuerySet[M, Any]], *kinds: type) -> None:
        self._make, self._kinds = make, kinds
        self._plans: dict[str, _Plan] = {}
        _prepared.add(self)

    def all(self, *values: Any) -> list[M]:
        """The objects, with what is selected of related ones."""
        plan = self._plan()
        return [plan.object(row) for row in plan.rows(values)]

    def first(self, *values: Any) -> M | None:
        """The first of them, None where there is none."""
        return next(iter(self.all(*values)), None)

    def rows(self, *values: Any) -> list[Sequence[Any]]:
        """The rows of a query for values."""
        return list(self._plan().rows(values))

    def _plan(self) -> _Plan:
        found = self._plans.get(connection.vendor)
        if found is None:
            samples = [f"\x01{n}" if kind is str else _NUMBERS + n for n, kind in enumerate(self._kinds)]
            found = self._plans[connection.vendor] = _Plan(self._make(*samples), samples)
        return found


class _Plan:
    """The text of a query, where its values go, and how its rows become objects."""

    def __init__(self, queryset: QuerySet[Any, Any], samples: Sequence[Any]) -> None:
        compiler = queryset.query.get_compiler(connection=connection)
        self.sql, params = compiler.as_sql()
        self.params = [(samples.index(each), None) if each in samples else (None, each) for each in params]
        if missing := [n for n in range(len(samples)) if not any(at == n for at, _ in self.params)]:
            raise ValueError(f"the values {missing} do not stand in {self.sql}")
        expressions = [each for each, _, _ in compiler.select]
        self.converters = [
            (at, functions, expression)
            for at, (functions, expression) in compiler.get_converters(expressions).items()
        ]  # fmt: skip
        if issubclass(queryset._iterable_class, ModelIterable):
            info: Any = compiler.klass_info
            fields = info["select_fields"]
            self.model, self.start, self.end = info["model"], fields[0], fields[-1] + 1
            self.names = [each[0].target.attname for each in compiler.select[self.start : self.end]]
            self.populators = get_related_populators(info, compiler.select, "default")  # type: ignore[call-arg]

    def rows(self, values: Sequence[Any]) -> Iterator[Sequence[Any]]:
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [fixed if at is None else values[at] for at, fixed in self.params])
            found = cursor.fetchall()
        if not self.converters:
            yield from found
            return
        for row in found:
            converted = list(row)
            for at, functions, expression in self.converters:
                for function in functions:
                    converted[at] = function(converted[at], expression, connection)
            yield converted

    def object(self, row: Sequence[Any]) -> Any:
        made = self.model.from_db("default", self.names, row[self.start : self.end])
        for populator in self.populators:
            populator.populate(row, made)
        return made


def insert(rows: Sequence[Model]) -> None:
    """Writes new rows of one model, all by one plain statement, which takes a fraction of the time of `bulk_create`:
    plans carried on write hundreds, and whoever else gives an order waits for that transaction. What numbers itself
    stays without its number."""
    if not rows:
        return
    fields = _inserted(type(rows[0]))
    table, names = connection.ops.quote_name(rows[0]._meta.db_table), [_quoted(each.column) for each in fields]
    statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(['%s'] * len(names))})"  # noqa: S608
    values = [[each.get_db_prep_save(each.pre_save(row, True), connection) for each in fields] for row in rows]
    with connection.cursor() as cursor:
        if len(values) == 1:
            cursor.execute(statement, values[0])
        else:
            cursor.executemany(statement, values)


def update(model: type[Model], where: Mapping[str, Any], values: Mapping[str, Any]) -> int:
    """Changes the rows in which the columns of `where` have these values: how many there were."""
    return _updated(model, [where], [values])


def update_many(model: type[Model], changes: Mapping[Any, Mapping[str, Any]]) -> None:
    """Changes rows by their primary keys; all change the same columns."""
    if changes:
        _updated(model, [{"pk": key} for key in changes], list(changes.values()))


def _updated(model: type[Model], where: Sequence[Mapping[str, Any]], changes: Sequence[Mapping[str, Any]]) -> int:
    table = _quoted(model._meta.db_table)
    sets = ", ".join(f"{_quoted(_field(model, name).column)} = %s" for name in changes[0])
    conditions = " AND ".join(f"{_quoted(_field(model, name).column)} = %s" for name in where[0])
    statement = f"UPDATE {table} SET {sets} WHERE {conditions}"  # noqa: S608
    values = [
        [_field(model, name).get_db_prep_save(value, connection) for name, value in (*change.items(), *key.items())]
        for key, change in zip(where, changes, strict=True)
    ]
    with connection.cursor() as cursor:
        if len(values) > 1:
            cursor.executemany(statement, values)
        else:
            cursor.execute(statement, values[0])
        return int(cursor.rowcount)


def _quoted(name: str) -> str:
    return str(connection.ops.quote_name(name))


@cache
def _field(model: type[Model], name: str) -> Any:
    return model._meta.pk if name == "pk" else model._meta.get_field(name)


@cache
def _inserted(model: type[Model]) -> tuple[Any, ...]:
    """The fields that a new row is written with: all but a number that the database gives."""
    return tuple(field for field in model._meta.concrete_fields if field is not model._meta.auto_field)
