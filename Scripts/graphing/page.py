"""The HTML page with all pictures, and below each a table with the same figures."""
import re
from html import escape

from graphing.drawing import display_name, tooltip
from graphing.layers import order

PAGE = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>References</title><style>
body { font: 14px/1.45 Helvetica, Arial, sans-serif; color: #1d2a3a; margin: 2em; }
h2 { margin-top: 2.5em; } p { max-width: 46em; }
table { border-collapse: collapse; font-size: 12px; margin: 1em 0; }
th { font-weight: normal; text-align: left; padding: 1px 6px; white-space: nowrap; }
thead th { writing-mode: vertical-rl; transform: rotate(180deg); padding: 6px 1px; }
td { text-align: right; border: 1px solid #e4e8ed; min-width: 2.2em; padding: 1px 4px; }
td.self { background: #e4e8ed; } td.up { background: #ffe3e3; color: #d1242f; font-weight: bold; }
svg .faded { opacity: 0.08; } svg g { transition: opacity 0.15s; }
</style></head><body>
<h1>References between targets and folders</h1>
<p>Drawn from the compiler's index. An arrow goes from the code that refers to the code that it
refers to; its number counts the references. Arrows go down; a red one goes up, and so closes a
cycle. A pale arrow has a longer way beside it. A dashed box is a library of others. Point at a box
to see only its arrows, and at a number to see the symbols. In a table each row refers to the
columns.</p>
"""
SCRIPT = """\
<script>
for (const svg of document.querySelectorAll("svg")) {
  const parts = [...svg.querySelectorAll("g.node, g.edge")];
  const ends = g => g.dataset.ends ??= g.querySelector("title").textContent;
  for (const node of svg.querySelectorAll("g.node")) {
    const name = ends(node);
    node.addEventListener("mouseenter", () => {
      const touched = new Set([name]);
      for (const g of parts) {
        const pair = ends(g).split("->");
        if (pair.length > 1 && pair.includes(name)) pair.forEach(end => touched.add(end));
      }
      for (const g of parts) {
        const pair = ends(g).split("->");
        const stays = pair.length > 1 ? pair.includes(name) : touched.has(pair[0]);
        g.classList.toggle("faded", !stays);
      }
    });
    node.addEventListener("mouseleave", () => parts.forEach(g => g.classList.remove("faded")));
  }
}
</script>
</body></html>
"""


def page(pictures, full_names):
    """`pictures`: pairs of a graph and its SVG."""
    sections = []
    for graph, svg in pictures:
        # The pictures by themselves lead to each other as files.
        svg = re.sub(r'href="(\w+)\.svg"', r'href="#\1"', svg)
        sections.append(f'<h2 id="{escape(graph.name)}">{escape(graph.name)}</h2>\n{svg}\n'
                        + matrix(graph, full_names))
    return PAGE + "\n".join(sections) + SCRIPT


def matrix(graph, full_names):
    """The table: each row refers to the columns; what is left of the diagonal goes up."""
    nodes = order(graph)
    head = "".join(f"<th>{escape(display_name(graph, node))}</th>" for node in nodes)
    rows = []
    for row, source in enumerate(nodes):
        cells = "".join(cell(graph, (source, destination), column - row, full_names)
                        for column, destination in enumerate(nodes))
        rows.append(f"<tr><th>{escape(display_name(graph, source))}</th>{cells}</tr>")
    return (f"<table><thead><tr><th></th>{head}</tr></thead><tbody>" + "\n".join(rows)
            + "</tbody></table>")


def cell(graph, arrow, distance, full_names):
    if distance == 0:
        return '<td class="self"></td>'
    value = graph.arrows.get(arrow)
    if value is None:
        return "<td></td>"
    way = ' class="up"' if distance < 0 else ""
    title = escape(tooltip(arrow, value, full_names))
    return f'<td{way} title="{title}">{value.references}</td>'
