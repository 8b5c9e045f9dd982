"""The pages of the site. They stay where they are in the repository, where they also link to each other; the
site gets them from there, with addresses of its own, and the files that they link to."""

import json
import os
import re
import subprocess
from pathlib import Path

from mkdocs.structure.files import File
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

ROOT = Path(__file__).resolve().parent.parent
# What Scripts/site makes before: the pages of the Swift libraries, and the manual page as Markdown.
MADE = ROOT / ".build-site"
BROKER = "Sources/CallBroker/Documentation.docc/"
LIBRARY = re.compile(r"Sources/(\w+)/Documentation\.docc/(\w+)\.md")
FENCE = re.compile(r"^( *)(```+)[^\n]*\n.*?^\1\2 *$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<=\]\()([^)\s#:]+)(?=[)#])")


def on_config(config):
    # Pages that need to know the address of the site, which may be any.
    config.theme.static_templates -= {"404.html", "sitemap.xml"}


def on_files(files, config):
    pages = [path for path in tracked() if is_page(path)]
    for path in pages:
        files.append(page(config, path, ROOT / path))
    files.append(page(config, "packaging/callbroker.1.md", MADE / "callbroker.1.md"))
    for name in ("targets.svg", "timeline.svg"):
        drawing = File.generated(config, BROKER + name, abs_src_path=str(ROOT / BROKER / name))
        drawing.dest_uri = name
        files.append(drawing)
    for path in linked(pages):
        files.append(picture(config, path) or destination(config, path) or source_page(config, path))
    for path in sorted((MADE / "swift").rglob("*")):
        if path.is_file():
            name = "swift/" + str(path.relative_to(MADE / "swift"))
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def tracked(folder="."):
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder]
    return sorted(filter(None, subprocess.check_output(command, text=True).split("\0")))


# Pages

def is_page(path):
    """Whether a file is a page of its own: one for readers, and not in a catalog that DocC makes pages of."""
    is_made_by_docc = ".docc/" in path and not path.startswith(BROKER)
    is_material = "/Fixtures/" in path or re.search("plugins/templates/.+/", path) or path == BROKER + "CallBroker.md"
    return path.endswith(".md") and not is_made_by_docc and not is_material


def page(config, path, file):
    result = File.generated(config, path, abs_src_path=str(file))
    result.dest_uri = address(path)
    return result


def address(path):
    """The address of a page: rules.html, without the folder that its file is in."""
    path = path.removeprefix(BROKER).removesuffix(".md").lower()
    return re.sub(r"(^|/)readme$", r"\1index", path) + ".html"


# What pages link to, other than pages

def linked(pages):
    """The files and folders that pages link to, and what is in these folders."""
    links = {
        path
        for page in pages
        for link in LINK.findall(FENCE.sub("", (ROOT / page).read_text()))
        if (path := resolved(page, link)) and not is_page(path) and not path.endswith(".svg")
    }
    inside = {file for path in links if is_listed(path) for file in tracked(path) if not is_page(file)}
    return sorted(links | inside)


def photographs(pages):
    """The pictures of screens that pages show."""
    links = {resolved(page, link) for page in pages for link in LINK.findall(FENCE.sub("", (ROOT / page).read_text()))}
    return sorted(path for path in links if path and path.endswith(".png"))


def resolved(page, link):
    """The path in the repository that a link leads to; none for a dead link, which mkdocs reports."""
    path = Path(os.path.normpath(ROOT / page / ".." / link))
    return str(path.relative_to(ROOT)) if path.exists() else None


def is_listed(path):
    return (ROOT / path).is_dir() and not (ROOT / (path + ".md")).exists()


def picture(config, path):
    """A picture, as it is."""
    return File.generated(config, path, abs_src_path=str(ROOT / path)) if path.endswith(".png") else None


class Destination(File):
    """A path that links lead to, whose page is written by another file, or by DocC."""

    def is_documentation_page(self):
        return False

    def copy_file(self, dirty=False):
        pass


def destination(config, path):
    """The page that stands for a path: the one in DocC's site, or the one of the same name as a folder."""
    if library := LIBRARY.fullmatch(path):
        module, name = library[1].lower(), library[2].lower()
        to = f"swift/documentation/{module}/{'' if name == module else name + '/'}index.html"
    elif (ROOT / (path + ".md")).exists():
        to = address(path + ".md")
    else:
        return None
    return Destination(path, None, config.site_dir, False, dest_uri=to)


class SourcePage(File):
    """A page that shows a file of the repository, or the list of those in a folder."""

    def is_documentation_page(self):
        return True


def source_page(config, path):
    result = SourcePage(path, None, config.site_dir, False, dest_uri=f"source/{path}.html")
    result.content_string = f"---\nsearch: {{exclude: true}}\n---\n# {path}\n\n{source(path)}"
    return result


def source(path):
    if is_listed(path):
        return "".join(f"- [{name}]({os.path.relpath(name, Path(path).parent)})\n" for name in tracked(path))
    return f"````{language(path)}\n{(ROOT / path).read_text().rstrip()}\n````\n"


def language(path):
    try:
        return get_lexer_for_filename(path).aliases[0]
    except ClassNotFound:
        return "text"


# What GitHub or DocC write in another way

def on_page_markdown(markdown, page, config, files):
    path = page.file.src_uri
    ends = [0, *(end for fence in FENCE.finditer(markdown) for end in fence.span()), len(markdown)]
    parts = [markdown[start:end] for start, end in zip(ends, ends[1:], strict=False)]
    # Text, block, text, block, ... text.
    return "".join(block(part) if index % 2 else text(part, path) for index, part in enumerate(parts))


def block(fence):
    """Of the words behind a fence, the first is the language; the others are for tests."""
    return re.sub(r"^( *```+\w*)[^\n]*", r"\1", fence)


def text(markdown, path):
    """DocC's names of symbols, links to pages, and anchors, which have the headings' capitals."""
    if not path.startswith(BROKER):
        return markdown
    markdown = re.sub(r"<doc:(\w+)(#[\w-]+)?>", lambda link: doc_link(link[1], link[2] or "", path), markdown)
    return re.sub(r"(?<=\]\()([^)#:]*)#([^)]+)(?=\))", lambda link: link[1] + "#" + link[2].lower(), markdown)


def doc_link(name, anchor, path):
    file = next((ROOT / BROKER).rglob(name + ".md"))
    heading = file.read_text().split("\n", 1)[0].removeprefix("# ")
    words = anchor[1:].replace("-", " ") or heading.replace("``", "")
    return f"[{words}]({os.path.relpath(file, ROOT / path / '..')}{anchor})"


# Rules: rows of tables, each with an address and an entry of its own in the search

RULE = re.compile(r"<tr>\s*<td>(\d+[a-z]?)</td>\s*<td>(.*?)</td>\s*<td>(.*?)</td>", re.DOTALL)
rules = []


def on_page_content(content, page, config, files):
    if page.file.src_uri != BROKER + "Rules.md":
        return content
    rules[:] = [
        {"location": f"{page.url}#rule-{number}", "title": f"Rule {number}: {situation}", "text": f"<p>{effect}</p>"}
        for number, situation, effect in RULE.findall(content)
    ]
    return RULE.sub(lambda row: row[0].replace("<tr>", f'<tr id="rule-{row[1]}">', 1), content)


def on_post_build(config):
    """After the search has written its index, and before it is copied for pages that are opened as files."""
    file = Path(config.site_dir) / "search/search_index.json"
    index = json.loads(file.read_text())
    index["docs"] += rules
    file.write_text(json.dumps(index, separators=(",", ":")))
