"""Lets asyncio read the TLS of Python when somebody uses it. A plugin hardly ever does, and it is a fifth
of the memory of one. To be imported before asyncio; `import ssl` elsewhere is what it always is."""
from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any


class Unread(ModuleType):
    """Stands for a module in those that asyncio is made of, until they use it."""

    def __getattr__(self, name: str) -> Any:
        if name == "SSLSocket" and "ssl" not in sys.modules:
            return ()                           # asyncio asks whether a socket is one: there is none
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


def import_asyncio() -> None:
    unread = [Unread("ssl"), Unread("asyncio.sslproto")]
    sys.modules.update({module.__name__: module for module in unread})
    importlib.import_module("asyncio")
    for module in unread:
        if sys.modules.get(module.__name__) is module:
            del sys.modules[module.__name__]


if not {"asyncio", "ssl"} & sys.modules.keys():
    import_asyncio()
