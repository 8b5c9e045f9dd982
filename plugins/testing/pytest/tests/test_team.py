"""The example of a team's repository, from installing the plugin to the report."""
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

ROOT = Path(__file__).parents[4]


class Team:
    """A copy of the repository, and of what it needs of ours."""

    def __init__(self, folder):
        self.folder = folder / "team"
        self.source = folder / "source"
        copied(ROOT / "examples" / "team-ci", self.folder)
        for plugin in ("testing/pytest", "sdk/python"):
            copied(ROOT / "plugins" / plugin, self.source / "plugins" / plugin)

    def runs(self):
        """What its CI file runs; returns what the report says: tests, failures, errors."""
        steps = yaml.safe_load((self.folder / ".gitlab-ci.yml").read_text())["flows"]["script"]
        done = subprocess.run(["sh", "-ec", "\n".join(steps)], cwd=self.folder, check=False, env={
            **os.environ, "CALLBROKER_SOURCE": str(self.source), "PYTHON": sys.executable,
            "CALLBROKER": os.path.abspath(os.environ["CALLBROKER"]), "PYTEST_ADDOPTS": ""},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert (self.folder / "flows.xml").exists(), done.stdout
        suite = ElementTree.parse(self.folder / "flows.xml").getroot()[0]
        counts = tuple(int(suite.get(name)) for name in ("tests", "failures", "errors"))
        return done.returncode, counts, done.stdout


def copied(source, target):
    left = shutil.ignore_patterns(".venv", "flows.xml", "__*", ".*_cache", "*.egg-info", "build")
    shutil.copytree(source, target, ignore=left)


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    return Team(tmp_path_factory.mktemp("ci"))


def test_its_flows_pass(team):
    status, counts, output = team.runs()
    assert (status, counts) == (0, (4, 0, 0)), output


def test_an_app_that_breaks_the_protocol_fails_them(team):
    app = team.folder / "intercom.py"
    right = app.read_text()
    app.write_text(right.replace("display_name=self.visitor", "displayed_name=self.visitor"))
    try:
        status, counts, output = team.runs()
    finally:
        app.write_text(right)
    assert (status, counts) == (1, (4, 4, 0)), output
    assert "com.example.intercom > " in output
    assert "nobody hears the bell" in output
