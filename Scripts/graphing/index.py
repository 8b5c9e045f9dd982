"""The index that the compiler writes beside a debug build, read through its own libIndexStore."""
import ctypes
import os
import shutil
from ctypes import CFUNCTYPE, POINTER, byref, c_bool, c_char_p, c_int64, c_size_t, c_uint, c_void_p

# From the public header indexstore/indexstore.h.
RECORD_DEPENDENCY = 2
MODULE, PARAMETER = 1, 25
LOCAL_SYMBOL = 1 << 7
DECLARATION, DEFINITION, REFERENCE, CALL, IMPLICIT = 1 << 0, 1 << 1, 1 << 2, 1 << 5, 1 << 8
CHILD_OF = 1 << 9


class IndexFault(Exception):
    """A reason why there is nothing to draw, and what to do about it."""


class Text(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("length", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.data else ""


TextVisitor = CFUNCTYPE(c_bool, c_void_p, Text)
Visitor = CFUNCTYPE(c_bool, c_void_p, c_void_p)

FUNCTIONS = {
    "error_get_description": (c_char_p, [c_void_p]),
    "store_create": (c_void_p, [c_char_p, POINTER(c_void_p)]),
    "store_units_apply_f": (c_bool, [c_void_p, c_uint, c_void_p, TextVisitor]),
    "unit_reader_create": (c_void_p, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "unit_reader_dispose": (None, [c_void_p]),
    "unit_reader_get_main_file": (Text, [c_void_p]),
    "unit_reader_get_module_name": (Text, [c_void_p]),
    "unit_reader_get_modification_time": (None, [c_void_p, POINTER(c_int64), POINTER(c_int64)]),
    "unit_reader_dependencies_apply_f": (c_bool, [c_void_p, c_void_p, Visitor]),
    "unit_dependency_get_kind": (c_uint, [c_void_p]),
    "unit_dependency_get_name": (Text, [c_void_p]),
    "unit_dependency_get_filepath": (Text, [c_void_p]),
    "record_reader_create": (c_void_p, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "record_reader_dispose": (None, [c_void_p]),
    "record_reader_occurrences_apply_f": (c_bool, [c_void_p, c_void_p, Visitor]),
    "occurrence_get_symbol": (c_void_p, [c_void_p]),
    "occurrence_get_roles": (ctypes.c_uint64, [c_void_p]),
    "occurrence_get_line_col": (None, [c_void_p, POINTER(c_uint), POINTER(c_uint)]),
    "occurrence_relations_apply_f": (c_bool, [c_void_p, c_void_p, Visitor]),
    "symbol_relation_get_roles": (ctypes.c_uint64, [c_void_p]),
    "symbol_relation_get_symbol": (c_void_p, [c_void_p]),
    "symbol_get_kind": (c_uint, [c_void_p]),
    "symbol_get_properties": (ctypes.c_uint64, [c_void_p]),
    "symbol_get_name": (Text, [c_void_p]),
    "symbol_get_usr": (Text, [c_void_p]),
}


class Unit:
    """A Swift file that was compiled, or a module of C headers, which has no path."""

    def __init__(self, path, module, written, records):
        self.path = path
        self.module = module
        self.written = written  # In nanoseconds, as st_mtime_ns.
        self.records = records


class Record:
    """The definitions, references and imports of one file. Symbols are named by their USR."""

    def __init__(self):
        self.definitions = {}  # USR: the name, with that of its type
        self.references = {}  # USR: [references, of these calls]
        self.imports = set()


class IndexStore:
    def __init__(self, folder):
        self.library = load_library()
        if not os.path.isdir(os.path.join(folder, "v5")):
            raise IndexFault(f"no index in {folder}; build with `make build`, and without "
                              "--disable-index-store")
        self.store = self.opened("store_create", str(folder).encode())

    def call(self, name, *arguments):
        return getattr(self.library, "indexstore_" + name)(*arguments)

    def opened(self, name, *arguments):
        error = c_void_p()
        handle = self.call(name, *arguments, byref(error))
        if not handle:
            why = self.call("error_get_description", error) if error else b"unknown"
            raise IndexFault(f"libIndexStore, {name}: {why.decode()}")
        return handle

    def units(self):
        names = []
        visit = TextVisitor(lambda _, name: names.append(str(name)) or True)
        self.call("store_units_apply_f", self.store, 0, None, visit)
        return [self.unit(name) for name in names]

    def unit(self, name):
        reader = self.opened("unit_reader_create", self.store, name.encode())
        path = str(self.call("unit_reader_get_main_file", reader))
        records = []

        def visit(_, dependency):
            if self.call("unit_dependency_get_kind", dependency) == RECORD_DEPENDENCY:
                if path in ("", str(self.call("unit_dependency_get_filepath", dependency))):
                    records.append(str(self.call("unit_dependency_get_name", dependency)))
            return True

        self.call("unit_reader_dependencies_apply_f", reader, None, Visitor(visit))
        seconds, nanoseconds = c_int64(), c_int64()
        self.call("unit_reader_get_modification_time", reader, byref(seconds), byref(nanoseconds))
        unit = Unit(path, str(self.call("unit_reader_get_module_name", reader)),
                    seconds.value * 10**9 + nanoseconds.value, records)
        self.call("unit_reader_dispose", reader)
        return unit

    def record(self, unit):
        """Reads the records of a unit."""
        record = Record()
        for name in unit.records:
            self.read(name, record)
        return record

    def read(self, name, record):
        # A symbol is one object for as long as the reader lives.
        usrs = {}

        def visit(_, occurrence):
            symbol = self.library.indexstore_occurrence_get_symbol(occurrence)
            if symbol not in usrs:
                usrs[symbol] = self.usr(symbol, record)
            usr = usrs[symbol]
            if usr is None:
                return True
            roles = self.library.indexstore_occurrence_get_roles(occurrence)
            if roles & (DEFINITION | DECLARATION):
                record.definitions[usr] = self.full_name(occurrence, symbol)
            elif roles & REFERENCE and not roles & IMPLICIT:
                counts = record.references.setdefault(usr, [0, 0])
                counts[0] += 1
                counts[1] += bool(roles & CALL)
            return True

        self.each_occurrence(name, visit)

    def lines(self, unit, usrs):
        """The first lines of a unit's file that refer to the symbols, as {USR: line}."""
        found = {}

        def visit(_, occurrence):
            usr = str(self.call("symbol_get_usr", self.call("occurrence_get_symbol", occurrence)))
            roles = self.call("occurrence_get_roles", occurrence)
            if usr in usrs and roles & REFERENCE and not roles & IMPLICIT:
                line, column = c_uint(), c_uint()
                self.call("occurrence_get_line_col", occurrence, byref(line), byref(column))
                found.setdefault(usr, line.value)
            return True

        for name in unit.records:
            self.each_occurrence(name, visit)
        return found

    def each_occurrence(self, name, visit):
        reader = self.opened("record_reader_create", self.store, name.encode())
        self.call("record_reader_occurrences_apply_f", reader, None, Visitor(visit))
        self.call("record_reader_dispose", reader)

    def usr(self, symbol, record):
        """The symbol's USR, or None for one that no other file can refer to. Adds modules to the imports."""
        kind = self.call("symbol_get_kind", symbol)
        if kind == MODULE:
            record.imports.add(str(self.call("symbol_get_name", symbol)))
            return None
        if kind == PARAMETER or self.call("symbol_get_properties", symbol) & LOCAL_SYMBOL:
            return None
        return str(self.call("symbol_get_usr", symbol))

    def full_name(self, occurrence, symbol):
        parents = []

        def visit(_, relation):
            if self.call("symbol_relation_get_roles", relation) & CHILD_OF:
                parent = self.call("symbol_relation_get_symbol", relation)
                parents.append(str(self.call("symbol_get_name", parent)))
            return True

        self.call("occurrence_relations_apply_f", occurrence, None, Visitor(visit))
        return ".".join(parents[:1] + [str(self.call("symbol_get_name", symbol))])


def load_library():
    swift = shutil.which("swift")
    if swift is None:
        raise IndexFault("no Swift toolchain in PATH; install Swift 6.2 or later from swift.org")
    # Found by the real place of the program: PATH may have a link to it.
    usr = os.path.dirname(os.path.dirname(os.path.realpath(swift)))
    path = os.path.join(usr, "lib", "libIndexStore.so")
    if not os.path.exists(path):
        raise IndexFault(f"the toolchain has no {path}; install one from swift.org")
    library = ctypes.CDLL(path)
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, "indexstore_" + name)
        function.restype, function.argtypes = result, arguments
    return library
