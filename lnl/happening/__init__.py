"""What happens in a battle, one module a subject: whoever knows one event has all of them registered."""

from importlib import import_module
from pkgutil import iter_modules

for _subject in sorted(module.name for module in iter_modules(__path__, f"{__name__}.")):
    import_module(_subject)
