"""For the plugin's own tests; a team needs nothing of this once the plugin is installed."""
import os
from pathlib import Path

pytest_plugins = ["pytester", "callbroker_pytest"]
os.environ.setdefault("CALLBROKER_CEILING", os.environ.get("CEILING", "10"))
os.environ.setdefault(
    "CALLBROKER", str(Path(__file__).parents[3] / ".build" / "debug" / "callbroker"))
