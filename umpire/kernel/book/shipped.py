"""What ships with a package as text files, and the folders of modules.

A module is a folder: `__init__.py` has its `MODULE`, `rules` (a module or a package) registers what it changes at the
points of the chapters, `data` are tables laid over the core, `maps` and `scenarios` come to those that there are.
Whatever of these a module does not need is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pkgutil import iter_modules, walk_packages

from msgspec import Struct

from umpire.kernel.book.layers import Layer, parse_file
from umpire.kernel.book.points import Module


@cache
def texts(package: str, folder: str = "") -> Mapping[str, str]:
    """The TOML files in a package, or in a folder of it: name without ending -> text, by name; empty without folder."""
    place = files(package) / folder if folder else files(package)
    if not place.is_dir():
        return {}
    found = sorted((each for each in place.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name)
    return {each.name.removesuffix(".toml"): each.read_text("utf-8") for each in found}


def layer(name: str, package: str, folder: str = "", *, is_module: bool = False) -> Layer:
    """The tables in a package, or in a folder of it, as a layer. Raises `BookError` where one is not TOML."""
    found = texts(package, folder).items()
    return Layer(name, tuple(parse_file(f"{each}.toml", text) for each, text in found), is_module)


class ShippedModule(Struct, frozen=True):
    """A module's folder: what it is, and the package in which it stands."""

    module: Module
    package: str

    @property
    def layer(self) -> Layer:
        """Its tables."""
        return layer(self.module.name, self.package, "data", is_module=True)

    @property
    def maps(self) -> Mapping[str, str]:
        return texts(self.package, "maps")

    @property
    def scenarios(self) -> Mapping[str, str]:
        return texts(self.package, "scenarios")


class Modules:
    """The modules of a game, by name."""

    def __init__(self) -> None:
        self._all: dict[str, ShippedModule] = {}

    def include(self, package: str) -> ShippedModule:
        """Takes in a module's folder, given as a package, with the rules that it registers. Raises TypeError for a
        package that says no `MODULE`, and ValueError where two have one name."""
        module = getattr(import_module(package), "MODULE", None)
        if not isinstance(module, Module):
            raise TypeError(f"{package} is no module's folder: its __init__ says no MODULE")
        if find_spec(f"{package}.rules") is not None:
            rules = import_module(f"{package}.rules")
            for each in walk_packages(getattr(rules, "__path__", ()), f"{rules.__name__}."):
                import_module(each.name)
        found = ShippedModule(module, package)
        if self._all.setdefault(module.name, found) != found:
            raise ValueError(f"two modules are called {module.name!r}: {self._all[module.name].package} and {package}")
        return found

    def include_all(self, package: str) -> None:
        """Takes in every module's folder that stands in a package."""
        for each in iter_modules(import_module(package).__path__, f"{package}."):
            self.include(each.name)

    def all(self) -> tuple[ShippedModule, ...]:
        """Those taken in, by name."""
        return tuple(self._all[name] for name in sorted(self._all))

    def layers(self, names: tuple[str, ...]) -> tuple[Layer, ...]:
        """The tables of these modules, in this order; of one that has no folder there are none."""
        return tuple(self._all[name].layer for name in names if name in self._all)
