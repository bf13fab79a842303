"""The studio: a page on this machine where people argue with a decision set.

``laconic.studio(clf, X, y)`` opens it for a fitted classifier; the command line has ``laconic studio``.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _CallableRoom(ModuleType):
    """The room itself can be called, since ``laconic.studio`` names the room and the function."""

    def __call__(self, *args: Any, **how: Any) -> Any:
        from laconic.studio.notebook import studio

        return studio(*args, **how)


sys.modules[__name__].__class__ = _CallableRoom

studio = sys.modules[__name__]
