"""The test that the guide for authors of providers shows, beside the doorbell that it makes."""
import os
import subprocess
import sys
from pathlib import Path

PLUGINS = Path(__file__).parents[3]


def test_what_the_guide_shows_passes(tmp_path):
    page = (PLUGINS / "README.md").read_text(encoding="utf-8")
    test = page.split("```python test_doorbell.py\n")[1].split("```")[0]
    (tmp_path / "test_doorbell.py").write_text(test, encoding="utf-8")
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["callbroker_pytest"]\n', "utf-8")
    tool = os.path.abspath(os.environ["CALLBROKER"])
    subprocess.run([tool, "plugin", "new", "python", "doorbell"], cwd=tmp_path, check=True)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_doorbell.py"],
        cwd=tmp_path, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "CALLBROKER": tool, "PYTEST_ADDOPTS": "",
             "PYTHONPATH": str(PLUGINS / "testing" / "pytest")})
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout
