"""The file of allowed arrows: a section for the targets, and one for each target with folders."""
from graphing.layers import components, upward

TARGETS = "targets"
HEADER = """\
# The references between targets, then between the folders of each target, where `Target/.` stands
# for the files beside its folders. Written by `make graph`; compared with the code by TidyTests.
"""


def qualified(graph, node):
    return node if graph.name == TARGETS else f"{graph.name}/{node}"


def line(graph, arrow):
    source, destination = arrow
    return f"{qualified(graph, source)} -> {qualified(graph, destination)}"


def lines(graph, counts=False):
    """The arrows of a graph, sorted."""
    if not counts:
        return [line(graph, arrow) for arrow in sorted(graph.arrows)]
    against = upward(graph)
    return [f"{line(graph, arrow)}: {value.references} references, {value.calls} of them calls"
            + (", upward" if arrow in against else "")
            for arrow, value in sorted(graph.arrows.items())]


def read(path):
    """The lines by section."""
    sections = {}
    try:
        with open(path) as file:
            for text in map(str.strip, file):
                if text and not text.startswith("#"):
                    sections.setdefault(section(text), []).append(text)
    except FileNotFoundError:
        pass
    return sections


def section(text):
    source = text.split(" -> ")[0]
    return source.split("/")[0] if "/" in source else TARGETS


def write(path, sections):
    names = sorted(sections, key=lambda name: (name != TARGETS, name))
    blocks = ["\n".join(sorted(sections[name])) + "\n" for name in names if sections[name]]
    with open(path, "w") as file:
        file.write("\n".join([HEADER] + blocks))


def complaints(package, graph, allowed):
    """The differences between a graph and the lines that are allowed, as text."""
    found = {line(graph, arrow): arrow for arrow in graph.arrows}
    cycles = components(graph)
    for text in sorted(found.keys() - set(allowed)):
        arrow = found[text]
        is_in_cycle = any(set(arrow) <= set(cycle) for cycle in cycles)
        cycle = ", which closes a cycle" if is_in_cycle else ""
        yield "\n  ".join([f"new arrow: {text}{cycle}"] + package.examples(graph.arrows[arrow]))
    for text in sorted(set(allowed) - found.keys()):
        yield f"no longer true: {text}"
