#!/usr/bin/env python3
"""Draws a race's results with a bar for each model: draw_race.py RESULTS.json OUT

Writes OUT-light.svg and OUT-dark.svg: each model's speed on one thread relative to the peer, sorted,
on a logarithmic scale, with the geometric mean.
"""
import json
import math
import sys

WIDTH, HEIGHT = 840, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 46, 34
COLORS = {
    "light": {"text": "#1f2328", "muted": "#59636e", "grid": "#d1d9e0", "faster": "#1a7f64", "slower": "#bc4c00"},
    "dark": {"text": "#e6edf3", "muted": "#9198a1", "grid": "#3d444d", "faster": "#3fb68b", "slower": "#f0883e"},
}


def read(path):
    """Returns the race, and the ratios of the best instruction set on one thread, the largest first."""
    race = json.load(open(path))
    rows = [row for row in race["results"] if row["tier"] == "avx512" and row["threads"] == 1]
    ratios = sorted(((row["ratio"], row["model"].removesuffix(".tflite")) for row in rows), reverse=True)
    return race, ratios


def svg(race, ratios, color):
    """Returns the picture as SVG text."""
    lowest, highest = min(0.5, ratios[-1][0]), ratios[0][0]
    plot = HEIGHT - TOP - BOTTOM

    def y(ratio):
        return TOP + plot * (1 - math.log(ratio / lowest) / math.log(highest / lowest))

    mean = math.exp(sum(math.log(ratio) for ratio, _ in ratios) / len(ratios))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" font-family="system-ui, sans-serif" font-size="12">',
        f"<title>Ocellus against {race['peer']}: {mean:.2f} times as fast in the mean of {len(ratios)} models</title>",
        f'<text x="{LEFT}" y="18" fill="{color["text"]}" font-size="15" font-weight="600">'
        f"How many times as fast as {race['peer']}, model by model</text>",
        f'<text x="{LEFT}" y="36" fill="{color["muted"]}">{len(ratios)} models, one thread, {race["machine"]}, '
        f'{race["date"]}; geometric mean {mean:.2f}</text>',
    ]
    line = 0.5
    while line <= highest:
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(line):.1f}" y2="{y(line):.1f}" stroke="{color["grid"]}" '
            f'stroke-width="{1.5 if line == 1 else 0.75}"/>'
            f'<text x="{LEFT - 8}" y="{y(line) + 4:.1f}" text-anchor="end" fill="{color["muted"]}">{line:g}×</text>')
        line *= 2
    step = (WIDTH - LEFT - RIGHT) / len(ratios)
    for index, (ratio, model) in enumerate(ratios):
        top, bottom = sorted((y(ratio), y(1)))
        fill = color["faster" if ratio >= 1 else "slower"]
        parts.append(
            f'<rect x="{LEFT + index * step + step * 0.12:.1f}" y="{top:.1f}" width="{step * 0.76:.1f}" '
            f'height="{max(bottom - top, 1):.1f}" rx="1.5" fill="{fill}"><title>{model}: {ratio:.2f}</title></rect>')
    for index, anchor in ((0, "start"), (len(ratios) - 1, "end")):
        x = LEFT if anchor == "start" else WIDTH - RIGHT
        parts.append(
            f'<text x="{x}" y="{HEIGHT - 12}" text-anchor="{anchor}" fill="{color["muted"]}">'
            f"{ratios[index][1]}: {ratios[index][0]:.2f}</text>")
    return "\n".join(parts + ["</svg>"]) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        race, ratios = read(sys.argv[1])
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{sys.argv[1]}: no results of a race: {error}")
    if not ratios:
        sys.exit(f"{sys.argv[1]}: no results of avx512 on one thread")
    for name, color in COLORS.items():
        with open(f"{sys.argv[2]}-{name}.svg", "w") as file:
            file.write(svg(race, ratios, color))


main()
