"""Pictures of arrows, laid out by graphviz."""
import math
import re
import shutil
import subprocess

from graphing.index import IndexFault
from graphing.layers import components, implied, upward

FONT = "Helvetica,Arial,sans-serif"
INK, LINE, PALE, RED = "#1d2a3a", "#6b7b8d", "#c9d1d9", "#d1242f"
LINE_LENGTH = 28
# Beyond this many, arrows beside which there is a longer way are drawn pale.
MANY_ARROWS = 30
# Beyond this many, placing the numbers takes graphviz most of a minute.
MOST_NUMBERS = 200


def svg(graph, full_names, purposes=None, links=(), is_plain=False):
    """The picture as SVG. A plain one is for the documentation: it has no counts, so it changes only
    when an arrow does, and no arrow beside which there is a longer way."""
    if shutil.which("dot") is None:
        raise IndexFault("no graphviz; install it: Scripts/setup graphviz")
    source = dot(graph, full_names, purposes or {}, links, is_plain)
    done = subprocess.run(["dot", "-Tsvg"], input=source, capture_output=True, text=True)
    if done.returncode:
        raise IndexFault(f"dot: {done.stderr.strip()}")
    return tidy(done.stdout)


def tidy(text):
    """Removes what differs between versions of graphviz, rounds places to points, and lets the
    picture shrink to the width of the page."""
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL)
    text = re.sub(r"^.*?<svg width=\"(\d+)pt\" height=\"\d+pt\"",
                  r'<svg width="\1" style="max-width:100%;height:auto"', text, flags=re.DOTALL)
    return re.sub(r' (points|d|x|y)="[^"]*"',
                  lambda match: re.sub(r"\d+\.\d+", whole, match[0]), text)


def whole(number):
    return str(round(float(number[0])))


def dot(graph, full_names, purposes, links, is_plain):
    lines = [
        f"digraph {quoted(graph.name)} {{",
        f'rankdir=TB; nodesep=0.15; ranksep=0.55; splines=true; bgcolor="white"; '
        f'fontname="{FONT}";',
        f'node [shape=box style="rounded,filled" fillcolor="#f3f6fa" color="{LINE}" '
        f'fontname="{FONT}" fontsize=15 fontcolor="{INK}" margin="0.12,0.06"];',
        f'edge [fontname="{FONT}" fontsize=9 fontcolor="{LINE}" color="{LINE}" arrowsize=0.6];',
    ]
    against = upward(graph)
    long_way = implied(graph) if is_plain or len(graph.arrows) > MANY_ARROWS else set()
    in_cycle = {node for cycle in components(graph) if len(cycle) > 1 for node in cycle}
    for node in sorted(graph.nodes):
        lines.append(node_line(graph, node, purposes.get(node, ""), node in links,
                               node in in_cycle, is_plain))
    for arrow in sorted(graph.arrows):
        style = "red" if arrow in against else "pale" if arrow in long_way else "plain"
        if style != "pale" or not is_plain:
            lines.append(arrow_line(graph, arrow, full_names, style, is_plain))
    return "\n".join(lines + ["}"])


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def display_name(graph, node):
    """The files beside the folders of a target stand for the target itself."""
    return graph.name if node == "." else node


def node_line(graph, node, purpose, is_link, is_in_cycle, is_plain):
    files = graph.nodes[node]
    title = display_name(graph, node)
    small = wrapped(purpose) if purpose else []
    if not small and not is_plain and files is not None and not node.endswith(".swift"):
        small = [f"{files} file{'' if files == 1 else 's'}"]
    label = f"<b>{escaped(title)}</b>" + "".join(
        f'<br/><font point-size="11" color="{LINE}">{escaped(line)}</font>' for line in small)
    attributes = [f"label=<{label}>", f"tooltip={quoted(title)}"]
    if files is None:
        attributes.append('style="rounded,dashed"')
    if is_in_cycle:
        attributes.append(f'color="{RED}"')
    if is_link:
        attributes.append(f'URL="{node}.svg"')
    return f"{quoted(node)} [{' '.join(attributes)}];"


def wrapped(text):
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE_LENGTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def arrow_line(graph, names, full_names, style, is_plain):
    arrow = graph.arrows[names]
    attributes = {
        "plain": [],
        "pale": [f'color="{PALE}" penwidth=0.7 weight=0'],
        "red": [f'color="{RED}" fontcolor="{RED}" constraint=false'],
    }[style]
    if not is_plain:
        if style != "pale":
            attributes.append(f"penwidth={width(arrow)}")
        if style != "pale" and len(graph.arrows) <= MOST_NUMBERS:
            attributes.append(f'label="{arrow.references}"')
        attributes.append(f"tooltip={quoted(tooltip(names, arrow, full_names))}")
        attributes.append(f"labeltooltip={quoted(tooltip(names, arrow, full_names))}")
    return f"{quoted(names[0])} -> {quoted(names[1])} [{' '.join(attributes)}];"


def width(arrow):
    return round(0.6 + 0.5 * math.log10(max(1, arrow.references)), 1)


def tooltip(names, arrow, full_names):
    most = sorted(arrow.symbols.items(), key=lambda item: (-item[1], item[0]))[:8]
    listed = ", ".join(f"{full_names[usr]} {count}" for usr, count in most)
    return (f"{names[0]} to {names[1]}: {arrow.references} references, {arrow.calls} of them calls, "
            f"in {len(arrow.files)} files. Most used: {listed}")
