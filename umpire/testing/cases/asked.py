"""What a case file asks for: a value of the game, whose entries are read by the types of its parameters.
`docs/cases.md`"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from umpire.kernel.book.book import UnknownKey
from umpire.testing.cases.follows import Follows
from umpire.testing.cases.language import Language
from umpire.testing.cases.orders import check, length
from umpire.testing.cases.script import Script
from umpire.testing.cases.words import CaseFault, listed, one_of, plain, unknown


class Inches:
    """The type of a parameter that is a length: inches in a case, hundredths in the engine."""


def asked(language: Language[Any], state: Any, ask: Mapping[str, Any], script: Script) -> Any:
    """The value asked for. Raises CaseFault for one that is not known, or asked for with other words."""
    given = dict(ask)
    said = str(given.pop("value", ""))
    if not said and len(given) == 1:
        said, only = given.popitem()
        given = dict(only) if isinstance(only, Mapping) else {"from": only[0], "to": only[1]} if len(only) == 2 else {}
    name = plain(said)
    if name == "check":
        return check(language, state, given)
    if name not in language.values:
        facts = {**language.common, **language.facts}
        if not given and (name in facts or name in state.public.__struct_fields__):
            return Follows(language, state, state, ()).fact(name)
        unknown("the value", said, (*language.values, *facts, "check"))
    function = language.values[name]
    try:
        return function(state, **_arguments(language, state, function, said, given, script))
    except (TypeError, UnknownKey) as fault:
        raise CaseFault(f"the value {said!r} is asked for otherwise: {fault}", at=said) from fault


def _arguments(
    language: Language[Any], state: Any, function: Callable[..., Any], name: str, given: Mapping[str, Any], script: Any
) -> dict[str, Any]:
    """The entries of an `ask` by the parameters of its value; one of several may stand for a list."""
    hints = get_type_hints(function)
    known = {each.rstrip("_"): each for each in list(signature(function).parameters)[1:]}
    values: dict[str, Any] = {"script": script} if known.pop("script", None) else {}
    for key, value in given.items():
        word = plain(key).replace(" ", "_")
        others = (f"{word}s", word.removesuffix("s"), {"from": "of", "of": "from"}.get(word, ""))
        word = next((each for each in (word, *others) if each in known), "")
        if not word:
            unknown(f"of the value {name!r} the entry", key, known)
        values[known[word]] = _read(language, state, word, hints[known[word]], value)
    return values


def _read(language: Language[Any], state: Any, word: str, of: Any, value: Any) -> Any:
    if get_origin(of) in (Union, UnionType):
        kinds = [each for each in get_args(of) if each is not type(None)]
        return value if type(value) in kinds else _read(language, state, word, kinds[0], value)
    if of is Inches:
        return length(value)
    if of in language.readers:
        return language.readers[of](state, value)
    if get_origin(of) is Literal:
        return one_of(f"the {word}", value, get_args(of))
    if get_origin(of) is tuple:
        return tuple(
            _read(language, state, word, get_args(of)[0], each)
            for each in (value if isinstance(value, list) else listed(value))
        )
    return value


def agrees(language: Language[Any], value: Any, wanted: Any) -> bool:
    """Whether a value is what `is` says: words in any letters, lists in any order, true and false for words that mean
    them."""
    if isinstance(value, list | tuple) or isinstance(wanted, list):
        mine, theirs = (list(each) if isinstance(each, list | tuple) else [each] for each in (value, wanted))
        return sorted(_simple(language, each) for each in mine) == sorted(_simple(language, each) for each in theirs)
    if isinstance(wanted, bool) and isinstance(value, str):
        return (value in ("accepted", "clear", "saved", "yes")) == wanted
    return bool(value == wanted) or _simple(language, value) == _simple(language, wanted)


def _simple(language: Language[Any], value: Any) -> str:
    return language.same(plain(str(value).replace(":", "-")))
