"""References between files, gathered into arrows between targets, folders or files."""
import os
from collections import Counter

from graphing.index import IndexFault

CHECKOUTS = ".build/checkouts/"


class SourceFile:
    def __init__(self, path, target, unit):
        self.path = path  # From the package's root, with slashes.
        self.target = target
        self.unit = unit
        self.record = None

    @property
    def is_ours(self):
        return self.path.startswith("Sources/")

    @property
    def folder(self):
        """From the folder of the target, `.` for a file beside its folders."""
        return os.path.dirname("/".join(self.path.split("/")[2:])) or "."


class Arrow:
    def __init__(self):
        self.references = 0
        self.calls = 0
        self.symbols = Counter()  # USR: references
        self.files = set()  # Paths of those that refer.

    def add(self, file, usr, references, calls):
        self.references += references
        self.calls += calls
        self.symbols[usr] += references
        self.files.add(file.path)


class Graph:
    def __init__(self, name):
        self.name = name
        self.nodes = {}  # Name: number of files; None for what is not ours.
        self.arrows = {}  # (from, to): Arrow

    def add(self, source, destination, *reference):
        if source != destination:
            self.arrows.setdefault((source, destination), Arrow()).add(*reference)


class Package:
    """The files of the package that the index knows, and their definitions."""

    def __init__(self, root, store):
        self.root = root
        self.store = store
        self.files = {}
        self.headers = {}  # The unit of a C module of ours, by its name.
        self.definitions = {}  # USR: SourceFile
        self.full_names = {}
        self.c_definitions = {}  # USR: C modules
        self.add_units()

    def add_units(self):
        for unit in sorted(self.store.units(), key=lambda unit: unit.written):
            path = os.path.relpath(unit.path, self.root) if unit.path else ""
            if not path:
                if os.path.exists(f"{self.root}/Sources/{unit.module}/module.modulemap"):
                    self.headers[unit.module] = unit
            elif path.startswith("Sources/") and os.path.exists(unit.path):
                self.files[path] = SourceFile(path, path.split("/")[1], unit)
            elif f"/{CHECKOUTS}" in f"/{path}":
                self.files[path] = SourceFile(path, unit.module, unit)

    @property
    def targets(self):
        return sorted({file.target for file in self.files.values() if file.is_ours})

    def stale(self, target=None):
        """The source files that are newer than what the compiler wrote about them."""
        stale = []
        for folder, _, names in os.walk(f"{self.root}/Sources/{target or ''}"):
            for name in names:
                full = os.path.join(folder, name)
                path = os.path.relpath(full, self.root)
                if name.endswith(".swift"):
                    known = self.files.get(path)
                    if not known or known.unit.written < os.stat(full).st_mtime_ns:
                        stale.append(path)
        return sorted(stale)

    def read(self, target=None):
        """Reads the records of the files, or of those of one target."""
        for path, file in sorted(self.files.items()):
            if file.record is None and target in (None, file.target):
                file.record = self.store.record(file.unit)
                for usr, name in file.record.definitions.items():
                    self.definitions.setdefault(usr, file)
                    self.full_names[usr] = name
        if target is None and not self.c_definitions:
            for module, unit in sorted(self.headers.items()):
                for usr, name in self.store.record(unit).definitions.items():
                    self.c_definitions.setdefault(usr, set()).add(module)
                    self.full_names.setdefault(usr, name)

    def between_targets(self):
        """Arrows between targets, and to the packages and C modules that they use."""
        self.read()
        graph = Graph("targets")
        for file in self.files.values():
            if not file.is_ours:
                continue
            graph.nodes[file.target] = graph.nodes.get(file.target, 0) + 1
            for usr, counts in file.record.references.items():
                owner = self.owner(file, usr)
                if owner is not None:
                    graph.add(file.target, owner, file, usr, *counts)
        for _, destination in graph.arrows:
            graph.nodes.setdefault(destination, None)
        return graph

    def owner(self, file, usr):
        """The target or module that defines a symbol, or None for one that is not of interest."""
        definer = self.definitions.get(usr)
        if definer is not None:
            return definer.target
        # Several C modules may have one header in common; what is imported counts.
        modules = self.c_definitions.get(usr, set()) & file.record.imports
        return min(modules, default=None)

    def inside(self, target, by_file=False):
        """Arrows between the folders of a target, or between its files."""
        if target not in self.targets:
            raise IndexFault(f"no target {target}; there are {', '.join(self.targets)}")
        self.read(target)
        graph = Graph(target)
        prefix = len(f"Sources/{target}/")

        def place(file):
            return file.path[prefix:] if by_file else file.folder

        for file in self.files.values():
            if file.target != target:
                continue
            graph.nodes[place(file)] = graph.nodes.get(place(file), 0) + 1
            for usr, counts in file.record.references.items():
                definer = self.definitions.get(usr)
                if definer is not None and definer.target == target:
                    graph.add(place(file), place(definer), file, usr, *counts)
        return graph

    def with_folders(self):
        """The targets with folders in which the arrows mean something."""
        folders = {}
        for file in self.files.values():
            if file.is_ours:
                folders.setdefault(file.target, set()).add(file.folder)
        return sorted(target for target, found in folders.items() if len(found) > 1)

    def examples(self, arrow, most=3):
        """Some of the references of an arrow, as `path:line: symbol`."""
        examples = []
        for path in sorted(arrow.files):
            file = self.files[path]
            lines = self.store.lines(file.unit, arrow.symbols)
            examples += [(path, line, self.full_names[usr]) for usr, line in lines.items()]
            if len(examples) >= most:
                break
        return [f"{path}:{line}: {name}" for path, line, name in sorted(examples)[:most]]

    def unused_imports(self):
        """Imports of what the package has, in files that refer to nothing in it."""
        self.read()
        known = set(self.targets) | set(self.headers) | {f.target for f in self.files.values()}
        for path, file in sorted(self.files.items()):
            if file.is_ours:
                used = {self.owner(file, usr) for usr in file.record.references}
                for module in sorted(file.record.imports & known - used - {file.target}):
                    yield path, module
