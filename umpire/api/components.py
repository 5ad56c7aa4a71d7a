"""The components of the OpenAPI document: the structs of the API, and of each system its orders, corrections and views.

Written so that generators of clients in other languages can read it: nothing is null (what is empty is left out), a
place is an array of a fixed length, what may be one of several structs is a named `oneOf` with a discriminator, and no
two types have one name. What holds words of a game stands in the document once a system, under the system's name
(`LnlOrderCard`), and is told apart by its field `system`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import msgspec

from umpire.api import responses
from umpire.api.offered import played_here
from umpire.api.words import KEY, plan_order_of
from umpire.kernel.forms import Slot
from umpire.kernel.registry import RulesPackage
from umpire.kernel.views import SHARED

REF = "#/components/schemas/"
TAG = "type"
"""The field of a struct's tag where the struct does not name another."""
UNIONS: Mapping[str, Any] = {
    "Slot": Slot,
    "ScenarioOption": responses.ScenarioOption,
    "WaitingItem": responses.WaitingItem,
}
"""Unions that are no system's own, by the names that they have in the document."""

Schema = dict[str, Any]


def ref(name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": REF + name}


def components(structs: Mapping[str, Any]) -> dict[str, Schema]:
    """The schemas of structs and of all that they hold, and of the words of every system that people are offered."""
    found = _schemas({**structs, **UNIONS, **{each.__name__: each for each in SHARED}})
    systems = played_here()
    for system, package in systems.items():
        found |= _words_of(system, package, found)
    return _with_named_unions(_by_system(found, systems))


def plain(schema: Any) -> Any:
    """A schema in the words that every generator knows: without titles, nulls, empty defaults, lists of places. Raises
    ValueError for a type that has no name in other languages."""
    if isinstance(schema, list):
        return [plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: plain(value) for key, value in schema.items() if key != "title" or isinstance(value, dict)}
    if "default" in made and made["default"] in ([], (), {}, None, ""):
        del made["default"]
    if "enum" in made and isinstance(made["enum"], list):
        made["type"] = "string" if all(isinstance(value, str) for value in made["enum"]) else "integer"
    if "prefixItems" in made:
        made["items"], *others = made.pop("prefixItems")
        if any(kind != made["items"] for kind in others):
            raise ValueError(f"no generator knows a list that holds several kinds of things: {schema}")
    return _one_of(made) if "anyOf" in made else made


def _one_of(made: Schema) -> Schema:
    """A union: nothing is null, structs are told apart, and what is a text or a number may be anything."""
    kinds = [kind for kind in made.pop("anyOf") if kind != {"type": "null"}]
    if len(kinds) == 1:
        return {**kinds[0], **made}
    if "discriminator" in made:
        return {**made, "oneOf": kinds}
    if any("$ref" in kind for kind in kinds):
        raise ValueError(f"these cannot be told apart: {kinds}")
    return {**made, "description": " or ".join(kind["type"] for kind in kinds)}


def _schemas(types: Mapping[str, Any]) -> dict[str, Schema]:
    """The schemas of types, named so, and of all structs that they hold, by their own names."""
    tops, parts = msgspec.json.schema_components(list(types.values()), ref_template=REF + "{name}")
    if strange := [name for name in parts if not name.isidentifier()]:
        raise ValueError(f"several structs have the same name: {', '.join(strange)}")
    found = {name: plain(schema) for name, schema in parts.items()}
    for name, top in zip(types, tops, strict=True):
        if name not in found:
            found[name] = plain(top)
    return found


def _words_of(system: str, package: RulesPackage[Any, Any], shared: Mapping[str, Schema]) -> dict[str, Schema]:
    """The words of a system, under its name; those that are the kernel's keep their own."""
    kinds = {"Order": package.orders, "Correction": package.corrections, "View": package.views, "Scene": package.scenes}
    found = _schemas(kinds)
    if (plan := plan_order_of(package)) is not None:
        found["PlanFields"] = _without(found[plan.cls.__name__], "verb", plan.fields[0].encode_name)
    own = {name for name, schema in found.items() if shared.get(name) != schema}
    return {
        named(system, name): _led(schema, {to: named(system, to) for to in own})
        for name, schema in found.items()
        if name in own
    }


def named(system: str, name: str) -> str:
    """What a type of a system is called in the document."""
    return f"{system.capitalize()}{name}"


def _without(schema: Schema, *fields: str) -> Schema:
    """A struct without some of its fields."""
    kept = {name: value for name, value in schema["properties"].items() if name not in fields}
    needed = [name for name in schema.get("required", ()) if name not in fields]
    return {**schema, "properties": kept, **({"required": needed} if "required" in schema else {})}


def _by_system(found: Mapping[str, Schema], systems: Collection[str]) -> dict[str, Schema]:
    """Whatever holds words of a game, once for each system; what has a field `system` is told apart by it."""
    spoken = _spoken(found)
    made: dict[str, Schema] = {}
    for name in spoken:
        for system in systems:
            told = _led(_said(found[name], system), {to: named(system, to) for to in spoken})
            made[named(system, name)] = _of_system(told, system) if _has_system(found[name]) else told
        if _has_system(found[name]):
            made[name] = {"description": found[name]["description"], **_told_apart(name, systems)}
    made["Scene"] = _told_apart("Scene", systems)
    made |= {name: _of_system(found[name], of) for of in systems if (name := named(of, "Scene"))}
    return {**{name: schema for name, schema in found.items() if name not in spoken}, **made}


def _of_system(schema: Schema, system: str) -> Schema:
    """A struct that says of which system it is."""
    fields = {**schema["properties"], "system": {"type": "string", "enum": [system]}}
    return {**schema, "properties": fields, "required": sorted({*schema.get("required", ()), "system"})}


def _told_apart(name: str, systems: Collection[str]) -> Schema:
    """One of the structs that the systems call so."""
    choices = {system: REF + named(system, name) for system in systems}
    return {
        "oneOf": [{"$ref": each} for each in choices.values()],
        "discriminator": {"propertyName": "system", "mapping": choices},
    }


def _spoken(found: Mapping[str, Schema]) -> set[str]:
    """What holds words of a game: itself, or in something that does not say of which."""
    spoken = {name for name, schema in found.items() if any(KEY in part for part in _parts(schema))}
    while more := {
        name
        for name, schema in found.items()
        if name not in spoken
        and any(to in spoken and (_has_system(schema) or not _has_system(found[to])) for to in _named_in(schema))
    }:
        spoken |= more
    return spoken


def _has_system(schema: Schema) -> bool:
    return "system" in schema.get("properties", {})


def _parts(schema: Any) -> Iterator[Schema]:
    """All objects of a schema, the outermost first."""
    if isinstance(schema, dict):
        yield schema
    if isinstance(schema, dict | list):
        for part in schema.values() if isinstance(schema, dict) else schema:
            yield from _parts(part)


def _named_in(schema: Schema) -> set[str]:
    """The components that a schema refers to."""
    return {part["$ref"].removeprefix(REF) for part in _parts(schema) if isinstance(part.get("$ref"), str)}


def _changed(schema: Any, change: Callable[[Schema], Schema]) -> Any:
    """A schema with each of its objects changed, the innermost first."""
    if isinstance(schema, list):
        return [_changed(part, change) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return change({key: _changed(part, change) for key, part in schema.items()})


def _led(schema: Schema, names: Mapping[str, str]) -> Schema:
    """A schema that refers to components by other names."""

    def change(part: Schema) -> Schema:
        if isinstance(part.get("$ref"), str):
            return ref(_other(part["$ref"], names))
        if isinstance(part.get("mapping"), dict) and "propertyName" in part:
            mapping = {tag: REF + _other(to, names) for tag, to in part["mapping"].items()}
            return {**part, "mapping": mapping}
        return part

    led: Schema = _changed(schema, change)
    return led


def _other(to: str, names: Mapping[str, str]) -> str:
    name = to.removeprefix(REF)
    return names.get(name, name)


def _said(schema: Schema, system: str) -> Schema:
    """A schema with the types of a system where its words stand."""
    said: Schema = _changed(schema, lambda part: ref(named(system, part[KEY])) if KEY in part else part)
    return said


def _with_named_unions(found: Mapping[str, Schema]) -> dict[str, Schema]:
    """The schemas with a reference wherever one of the named unions stands."""
    names = {_choices(schema): name for name, schema in found.items() if "oneOf" in schema}

    def change(part: Schema) -> Schema:
        if "oneOf" not in part:
            return part
        if _choices(part) not in names:
            raise ValueError(f"this union has no name in the document: {', '.join(sorted(_choices(part)))}")
        return ref(names[_choices(part)])

    told = {name: schema if "oneOf" in schema else _changed(schema, change) for name, schema in sorted(found.items())}
    in_unions = {choice for choices in names for choice in choices}
    return {name: schema if name in in_unions else _untagged(schema) for name, schema in told.items()}


def _untagged(schema: Schema) -> Schema:
    """A struct that no union holds: its tag is a text like any other (`Type` is a word of Swift's own)."""
    fields = schema.get("properties", {})
    if "enum" not in fields.get(TAG, {}):
        return schema
    return {**schema, "properties": {**fields, TAG: {"type": "string"}}}


def _choices(union: Schema) -> frozenset[str]:
    return frozenset(each["$ref"].removeprefix(REF) for each in union["oneOf"])
