"""`callbroker plugin check` names the fault of every provider of this folder."""
import concurrent.futures
import json
import os
import re
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.abspath(os.environ.get("CALLBROKER") or os.path.join(
    HERE, "..", "..", "..", ".build", "debug", "callbroker"))
RING = 'echo 1 >"$XDG_RUNTIME_DIR/bell"'
ELSEWHERE = 'echo elsewhere >"$XDG_RUNTIME_DIR/bell"'
PRIORITY = 'echo priority_caller >"$XDG_RUNTIME_DIR/bell"'
BACKGROUND = 'echo background >"$XDG_RUNTIME_DIR/bell"'
IDENTITY = "org.example.gallery"


def faulty_providers(with_other_roles=False):
    """The scenario that each of them breaks; also those of other roles, if asked for."""
    found = {}
    for name in sorted(os.listdir(HERE)):
        if name.endswith(".py") and not name.startswith("test_"):
            with open(os.path.join(HERE, name), encoding="utf-8") as file:
                text = file.read()
            breaks = re.search(r"^Breaks: (\w+)$", text, re.MULTILINE)
            if breaks and (with_other_roles or "\nRole: " not in text):
                found[name[:-3]] = breaks.group(1)
    return found


def program(name, folder):
    """What is checked: the program, or a manifest of it if that has to give it a role."""
    path = os.path.join(HERE, name + ".py")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    role = re.search(r"^Role: (\w+)$", text, re.MULTILINE)
    if not role:
        return path
    beside = {"ui": ["controller", "observer"], "audio": ["observer"]}
    roles = [role.group(1)] + beside.get(role.group(1), [])
    manifest = os.path.join(folder, IDENTITY + ".plugin.json")
    with open(manifest, "w", encoding="utf-8") as file:
        json.dump({"manifest": 1, "identity": IDENTITY, "roles": roles, "exec": ["python3", path],
                   "transport": "connect", "x_delays_audio": role.group(1) == "observer"}, file)
    return manifest


def check(name, *options, patience=1500, descriptor=None):
    """Runs the check; the documents it writes, and its exit code."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return check_program(name, program(name, folder), *options, patience=patience,
                             descriptor=descriptor)


def check_program(name, path, *options, patience, descriptor):
    environment = dict(os.environ)
    if name == "prints_logs_to_stdout":
        descriptor = 0
    if descriptor is not None:
        environment["GALLERY_DESCRIPTOR"] = str(descriptor)
        options += ("--transport", "fd3" if descriptor else "stdio")
    done = subprocess.run(
        [TOOL, "plugin", "check", path, "--json", "--identity",
         IDENTITY, "--ring", RING, "--external", ELSEWHERE, "--priority", PRIORITY,
         "--background", BACKGROUND, "--delays-audio", "--patience", str(patience), *options],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True,
        timeout=600, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


class CheckTests(unittest.TestCase):
    def test_each_fault_is_named(self):
        def check_one(name, scenario):
            return name, scenario, check(name, "--only", "registers", "--only", scenario)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            work = [pool.submit(check_one, *item) for item in faulty_providers(True).items()]
            for name, scenario, (documents, status) in (one.result() for one in work):
                with self.subTest(name):
                    outcomes = {one["scenario"]: one for one in documents[:-1]}
                    verdict = outcomes[scenario]
                    self.assertEqual(verdict["outcome"], "failed", verdict)
                    self.assertEqual(status, 1)
                    if scenario != "registers":
                        self.assertEqual(outcomes["registers"]["outcome"], "passed", outcomes)

    def test_each_scenario_has_a_faulty_provider(self):
        listed = subprocess.run([TOOL, "plugin", "check", "--list"], stdout=subprocess.PIPE,
                                text=True, check=True).stdout
        scenarios = {line.split()[0] for line in listed.splitlines()}
        self.assertEqual(set(faulty_providers(True).values()), scenarios)

    def test_the_honest_one_passes_everything(self):
        documents, status = check("honest", patience=10_000)
        others = [one for one in documents[:-1] if one["outcome"] != "passed"]
        self.assertEqual((others, status), ([], 0))

    def test_requests_about_anything_else_may_cross_a_repeated_action(self):
        documents, status = check("subscribes_late", "--only", "duplicate_action", patience=10_000)
        self.assertEqual((documents[0]["outcome"], status), ("passed", 0), documents)

    def test_the_honest_one_passes_on_descriptors_that_it_is_given(self):
        for descriptor in (0, 3):
            documents, status = check("honest", patience=10_000, descriptor=descriptor)
            others = {one["scenario"]: one["outcome"] for one in documents[:-1]
                      if one["outcome"] != "passed"}
            self.assertEqual((others, status), (dict.fromkeys((
                "reconnects", "resumes", "lists_its_calls", "lists_no_reset_calls",
                "gives_up_dropped", "action_again", "broker_away"), "not_applicable"), 0))


if __name__ == "__main__":
    unittest.main()
