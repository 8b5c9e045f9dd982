"""The absence of the broker, for plugins that change something of others during calls: calls whose
broker is gone are nobody's, but a short absence makes no difference."""
from __future__ import annotations

import asyncio
from typing import AsyncIterator

from callbroker import Client


async def lasting_absences(client: Client, patience: float) -> AsyncIterator[bool]:
    """Yields True when the broker has been away for `patience` seconds, and False when it is back
    after that, for ever."""
    step, absent, is_lasting = patience / 4, 0.0, False
    while True:
        await asyncio.sleep(step)
        absent = 0.0 if client.connected else absent + step
        if is_lasting != (absent >= patience):
            is_lasting = not is_lasting
            yield is_lasting
