#!/usr/bin/env python3
"""Completes a merged documentation archive to a site: a start page with search, and checked links.

    site.py FOLDER      FOLDER is what `docc merge` wrote
"""

from __future__ import annotations

import html
import json
import re
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

HERE = Path(__file__).resolve().parent
Page = Dict[str, Any]


def main(arguments: List[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0], "data").is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    site = Path(arguments[0])
    pages = dict(_pages(site))
    write_start(site, pages)
    write_search(site, pages)
    broken = sorted(set(broken_links(site, pages)))
    for line in broken:
        print(line, file=sys.stderr)
    print(f"{site}: {len(pages)} pages, {len(broken)} broken links")
    return 1 if broken else 0


def _pages(site: Path) -> Iterator[Tuple[str, Page]]:
    """Yields the address of each page, such as /documentation/ocellus, and its content."""
    data = site / "data"
    for file in sorted(data.rglob("*.json")):
        address = "/" + file.relative_to(data).with_suffix("").as_posix()
        yield address, json.loads(file.read_text())


def _in_order(site: Path) -> Iterator[str]:
    """Yields the addresses of all pages in the order of the navigation."""
    nodes = json.loads((site / "index" / "index.json").read_text())["interfaceLanguages"]["swift"]
    while nodes:
        node, *nodes = nodes
        if "path" in node:
            yield node["path"].lower()
        nodes = node.get("children", []) + nodes


def _title(page: Page) -> str:
    return page["metadata"].get("title", "")


def _full_title(page: Page) -> str:
    """Returns the title, for a member with the type that it belongs to."""
    parents = page.get("hierarchy", {}).get("paths", [[]])[0]
    parent = page.get("references", {}).get(parents[-1] if parents else "", {})
    inside = parent.get("role") == "symbol" and page["metadata"].get("role") == "symbol"
    title = _title(page)
    owner = parent.get("title", "")
    return f"{owner}.{title}" if inside and not title.startswith(f"{owner}.") else title


def _text(content: Any) -> str:
    """Returns the words of inline content, without markup."""
    if isinstance(content, list):
        return "".join(_text(part) for part in content)
    if isinstance(content, dict):
        return content.get("text") or content.get("code") or _text(content.get("inlineContent", []))
    return ""


def _abstract(page: Page) -> str:
    return " ".join(_text(page.get("abstract", [])).split())


def _kind(page: Page) -> str:
    metadata = page["metadata"]
    if metadata.get("role") == "article":
        return "Guide"
    modules = ", ".join(module["name"] for module in metadata.get("modules", []))
    return " ".join(part for part in (metadata.get("roleHeading"), modules and f"of {modules}") if part)


def write_start(site: Path, pages: Dict[str, Page]) -> None:
    """Writes the start page with the lists of guides and modules."""
    guides, modules = [], []
    for address in _in_order(site):
        page = pages.get(address)
        if page is None:
            continue
        role = page["metadata"].get("role")
        entry = (
            f'<li><a href="{html.escape(address[1:])}/">{html.escape(_title(page))}</a> '
            f"<small>{html.escape(_abstract(page))}</small></li>"
        )
        if role == "article":
            guides.append(entry)
        elif role == "collection" and page["metadata"].get("symbolKind") == "module":
            modules.append(entry)
    if not guides or not modules:
        raise SystemExit(f"{site} has {len(guides)} guides and {len(modules)} modules")
    start = (HERE / "start.html").read_text()
    for name, entries in (("guides", guides), ("modules", modules)):
        start = start.replace(f"<!-- {name} -->", "\n".join(entries))
    (site / "index.html").write_text(start)


def write_search(site: Path, pages: Dict[str, Page]) -> None:
    """Writes what the start page searches: title, address, kind and first sentence of each page."""
    entries, seen = [], set()
    for address, page in pages.items():
        title = _full_title(page)
        # The umbrella shows the symbols of the modules that it exports once more.
        identity = (title, page["metadata"].get("roleHeading"), _abstract(page))
        if not title or identity in seen:
            continue
        seen.add(identity)
        words = _abstract(page)
        if page["metadata"].get("role") == "article":
            words += " · " + ", ".join(_headings(page))
        entries.append([title, address[1:] + "/", _kind(page), words])
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    (site / "search.json").write_text(text)


def _headings(page: Page) -> List[str]:
    return [
        block["text"]
        for section in page.get("primaryContentSections", [])
        for block in section.get("content", [])
        if block.get("type") == "heading"
    ]


def broken_links(site: Path, pages: Dict[str, Page]) -> Iterator[str]:
    """Yields a line for each link that leads to no page, section or file of the site."""
    anchors = {address: set(_anchors(page)) for address, page in pages.items()}
    known = {address.lower(): address for address in pages}
    for address, page in pages.items():
        for reference in page.get("references", {}).values():
            yield from _broken_reference(site, address, reference, known, anchors)
    for file in (site / "index.html", *site.glob("documentation/index.html")):
        for target in re.findall(r'(?:href|src)="([^"#:]+)"', file.read_text()):
            path = site / target.lstrip("/")
            if not (path / "index.html").is_file() and not path.is_file():
                yield f"{file.relative_to(site)}: {target} is not there"


def _broken_reference(
    site: Path, address: str, reference: Dict[str, Any], known: Dict[str, str], anchors: Dict[str, set]
) -> Iterator[str]:
    for variant in reference.get("variants", []):
        if not (site / variant["url"].lstrip("/")).is_file():
            yield f"{address}: the file {variant['url']} is not there"
    url = reference.get("url", "")
    if not url.startswith("/documentation"):
        return
    path, _, anchor = url.partition("#")
    target = known.get(path.lower())
    if target is None or not (site / target.lstrip("/") / "index.html").is_file():
        yield f"{address}: {url} leads to no page"
    elif anchor and anchor not in anchors[target]:
        yield f"{address}: {url} leads to no section"


def _anchors(page: Any) -> Iterator[str]:
    """Yields the anchors of headings anywhere in a page."""
    if isinstance(page, dict):
        if "anchor" in page:
            yield page["anchor"]
        for value in page.values():
            yield from _anchors(value)
    elif isinstance(page, list):
        for value in page:
            yield from _anchors(value)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
