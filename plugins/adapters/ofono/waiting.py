"""What is said while there is no modem that can make calls, and what to do about it."""
from __future__ import annotations

import logging
from typing import List, Optional, Tuple

from service import Properties, Refused, Service

log = logging.getLogger("ofono_provider")


class Said:
    """What it waits for is said once, and again when that is something else."""

    def __init__(self) -> None:
        self._text = ""

    def say(self, text: str) -> None:
        if text != self._text:
            log.warning("%s", text)
        self._text = text


def missing(service: Service, modems: List[Tuple[str, Properties]], wanted: Optional[str]) -> str:
    """Why none of these can make calls."""
    if not modems:
        return service.no_modem
    found = [(path, properties) for path, properties in modems if wanted in (None, path)]
    if not found:
        names = ", ".join(path for path, _ in modems)
        return (f"{service.title} has no modem {wanted}, but {names}; choose one with --modem, for a plugin "
                "callbroker plugin set ofono modem PATH")
    path, properties = found[0]
    if not properties.get("Powered"):
        return (f"the modem {path} is switched off; switch it on, or let this program do it: "
                "--power, for a plugin callbroker plugin set ofono power true")
    return (f"the modem {path} cannot make calls yet; it needs a SIM card, and that its PIN, if it "
            "has one")


def failed(service: Service, error: Exception) -> str:
    """Why the service could not be asked, or would not do it."""
    if isinstance(error, Refused) and error.name not in ("NameHasNoOwner", "ServiceUnknown"):
        return f"waiting for the modem; {service.title} says {error}"
    return (f"waiting for {service.title} ({str(error) or 'it does not answer'}); "
            f"{service.advice}")
