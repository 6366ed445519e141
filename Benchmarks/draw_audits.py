#!/usr/bin/env python3
"""Draws the pictures of the page Auditing: draw_audits.py BOUNDS.json FOLDER

BOUNDS.json is what `ocellus bound MODEL --json` prints. Writes audit-same.svg, audit-part.svg, audit-every.svg,
audit-bounds.svg and audit-right.svg, whose colours follow the reader's light or dark theme.
"""
import json
import math
import pathlib
import sys

WIDTH = 840
STYLE = """<style>
text { fill: #1f2328; font: 12px system-ui, sans-serif } .muted { fill: #59636e } .title { font-weight: 600 }
.line { stroke: #8c959f; stroke-width: 1.5; fill: none } .box { fill: #eef1f4; stroke: #8c959f }
.good { fill: #1a7f64 } .bad { fill: #cf222e } .late { fill: #bc4c00 } .soft { fill: #1a7f64; opacity: .25 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .muted { fill: #9198a1 } .box { fill: #21262d } .good { fill: #3fb68b } .bad { fill: #ff7b72 }
.late { fill: #f0883e } .soft { fill: #3fb68b } }
</style>"""


def picture(title, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" role="img"><title>{title}</title>{STYLE}{"".join(parts)}</svg>\n')


def text(x, y, words, kind="", anchor="start"):
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{words}</text>'


def chain(y, name, colors, marks=None):
    """Draws a run as a row of nodes."""
    parts = [text(8, y + 5, name)]
    for index, color in enumerate(colors):
        x = 190 + index * 62
        if index:
            parts.append(f'<path class="line" d="M{x - 46} {y}H{x - 16}"/>')
        parts.append(f'<circle cx="{x}" cy="{y}" r="15" class="{color}"/>')
        if marks:
            parts.append(text(x, y + 36, marks[index], "muted", "middle"))
    return parts


def same():
    hashes = ["3f…", "a0…", "77…", "1c…", "e9…", "05…", "b2…", "d4…", "6a…", "90…"]
    parts = chain(28, "model@fast", ["good"] * 10) + chain(82, "model@reference", ["good"] * 10, hashes)
    return picture("Two runs whose nodes all have the same bits", 130, parts)


def part():
    marks = ["same"] * 4 + ["born"] + ["inherited"] * 5
    parts = chain(28, "first side", ["good"] * 10)
    parts += chain(82, "second side", ["good"] * 4 + ["bad"] + ["late"] * 5, marks)
    return picture("Two runs part at one node, and the nodes behind it inherit the difference", 130, parts)


def every():
    """Draws requantization: a staircase over every sum that inputs can lead to."""
    parts = [text(8, 20, "result", "muted"), text(WIDTH / 2, 148, "sum of products", "muted", "middle")]
    path, x, y = "M60 130", 60, 130
    for _ in range(11):
        x, y = x + 60, y - 9
        path += f"H{x}V{y}"
    path += "H776"
    parts.append(f'<path class="line" d="{path}"/>')
    for index in range(180):
        at = 60 + index * 4
        parts.append(f'<circle cx="{at}" cy="{130 - 9 * ((at - 60) // 60)}" r="1.6" class="good"/>')
    for at, words in ((60, "least sum"), (776, "greatest sum")):
        parts.append(f'<path class="line" stroke-dasharray="3 3" d="M{at} 22V134"/>' + text(at, 148, words, "muted",
                     "start" if at < 100 else "end"))
    return picture("A kernel is compared with its specification at every sum that inputs can lead to", 156, parts)


def bounds(report):
    """Draws how wide each node's bounds are, and how much of them the engine's own results use."""
    rows = [(node["operator"], result) for node in report["nodes"] for result in node["results"][:1]
            if result["median_relative"]]
    lows, highs = -8.5, max(math.log10(result["widest_relative"]) for _, result in rows) + 0.2
    height, left = 190, 60

    def y(value):
        return 24 + (height - 50) * (highs - math.log10(max(value, 10**lows))) / (highs - lows)

    parts = [text(8, 14, "half width, relative to the largest number of the result", "muted")]
    for power in range(math.ceil(lows), math.floor(highs) + 1):
        parts.append(f'<path class="line" opacity=".35" d="M{left} {y(10.0**power):.1f}H{WIDTH - 8}"/>'
                     + text(left - 8, round(y(10.0**power) + 4, 1), f"1e{power}", "muted", "end"))
    step = (WIDTH - left - 8) / len(rows)
    for index, (operator, result) in enumerate(rows):
        x, top, bottom = left + step * index, y(result["median_relative"]), height - 26
        parts.append(f'<rect x="{x + step * .1:.1f}" y="{top:.1f}" width="{step * .8:.1f}" '
                     f'height="{bottom - top:.1f}" class="soft"><title>{operator}</title></rect>')
        used = (result["median_used"] or 0) * result["median_relative"]
        parts.append(f'<rect x="{x + step * .1:.1f}" y="{y(used):.1f}" width="{step * .8:.1f}" height="2.5" class="good"/>')
    parts.append(text(left, height - 8, "first node", "muted") + text(WIDTH - 8, height - 8, "last node", "muted", "end"))
    parts.append(text(WIDTH / 2, height - 8, "bar: median bound; line: how far this engine is from the middle", "muted",
                      "middle"))
    return picture("The median bound of each node, and how far the engine's own results are from the middle", height, parts)


def right():
    parts = []
    for y, name in ((28, "A"), (82, "B")):
        parts += chain(y, f"receipt {name}", ["good"] * 5 + ["bad" if name == "B" else "good"] + ["late"] * 4)
    parts.append('<rect x="480" y="6" width="40" height="98" rx="8" class="line"/>')
    parts.append(text(500, 122, "computed again from operands that both state", "muted", "middle"))
    parts.append(text(8, 122, "hashes over halves find the node", "muted"))
    return picture("Two receipts part at one node, which a court computes again", 132, parts)


def main():
    report, folder = json.load(open(sys.argv[1])), pathlib.Path(sys.argv[2])
    for name, svg in (("same", same()), ("part", part()), ("every", every()), ("bounds", bounds(report)),
                      ("right", right())):
        (folder / f"audit-{name}.svg").write_text(svg)


if __name__ == "__main__":
    main()
