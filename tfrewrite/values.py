"""Values of which very many are made, and which nobody changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**said: Any) -> Callable[[T], T]:
        return lambda decorator: decorator


T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value_class(made: type[T]) -> type[T]:
    """A frozen dataclass, as far as type checkers know. One that is frozen when it runs takes seven times as long to make."""
    return dataclass(slots=True, unsafe_hash=True)(made)
