"""What of requests and answers is in the words of the battle's system: the document has it once a system.

A struct that holds any of these has a field `system` too, by which a client tells what it holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, inspect

from umpire.kernel.registry import RulesPackage

KEY = "x-words"
"""Where a schema says which type of the system stands here."""

Order = Annotated[Mapping[str, Any], Meta(extra_json_schema={KEY: "Order"})]
Correction = Annotated[Mapping[str, Any], Meta(extra_json_schema={KEY: "Correction"})]
PlanFields = Annotated[Mapping[str, Any], Meta(extra_json_schema={KEY: "PlanFields"})]
"""The fields of the system's order `GivePlan`, but for the force that it is given to."""
View = Annotated[Any, Meta(extra_json_schema={KEY: "View"})]
Scene = Annotated[Any, Meta(extra_json_schema={KEY: "Scene"})]
Plan = Annotated[Any, Meta(extra_json_schema={KEY: "ViewPlan"})]


def plan_order_of(package: RulesPackage[Any, Any]) -> inspect.StructType | None:
    """The order by which a system gives plans; its first field is the force. None where a system knows none."""
    union = inspect.type_info(package.orders)
    kinds = union.types if isinstance(union, inspect.UnionType) else (union,)
    structs = (kind for kind in kinds if isinstance(kind, inspect.StructType))
    return next((kind for kind in structs if kind.cls.__name__ == "GivePlan"), None)
