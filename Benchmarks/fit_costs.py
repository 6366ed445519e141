#!/usr/bin/env python3
"""Fits the costs of strategies' work to times measured on this machine, and evaluates choices by these costs.

    Benchmarks/draw_layers.py depthwise 90 --seed 1 --type int8 > layers.txt
    ocellus kernel bench --shapes layers.txt --json > int8.json
    Benchmarks/fit_costs.py int8.json float32.json       print the table for Sources/KernelDispatch/KernelCosts.swift
    Benchmarks/fit_costs.py other.json --by int8.json    evaluate the costs of some layers on others

For a layer, a strategy does a number of units of five kinds of work (KernelWork). The nonnegative costs of a unit
minimize the squared relative errors of the total against the measured times: layers of microseconds count as much as
layers of milliseconds.
"""
import argparse
import collections
import json
import sys

KINDS = ["loops", "loads", "results", "products", "fetches"]


def measurements(paths):
  """Returns the timed strategies of every layer and instruction set: (work, nanoseconds) by family and name."""
  layers = []
  for path in paths:
    for node in json.load(open(path))["nodes"]:
      sets = collections.defaultdict(dict)
      for way in node["implementations"]:
        if way["strategy"] and way["ms"]:
          tier = way["name"].split(",")[0]
          sets[tier, way["family"]][way["strategy"]] = (way["work"], 1e6 * way["ms"]["min"])
      layers += [(node["node"], tier, family, timed) for (tier, family), timed in sets.items() if "exact" not in tier]
  return layers


def nonnegative_least_squares(rows, targets, steps=4000):
  """Solves the least squares problem by coordinate descent, which needs no library for a few unknowns."""
  count = len(rows[0])
  normal = [[sum(r[i] * r[j] for r in rows) for j in range(count)] for i in range(count)]
  right = [sum(r[i] * t for r, t in zip(rows, targets)) for i in range(count)]
  solution = [0.0] * count
  for _ in range(steps):
    for i in range(count):
      if normal[i][i] > 0:
        rest = sum(normal[i][j] * solution[j] for j in range(count) if j != i)
        solution[i] = max(0.0, (right[i] - rest) / normal[i][i])
  return solution


OTHERS = "others"


def fit(layers, shared):
  """Returns the costs of every strategy with enough measurements; strategies of shared families have common costs."""
  samples = collections.defaultdict(list)
  for _, tier, family, timed in layers:
    for name, (work, time) in timed.items():
      samples[tier, family, OTHERS if family in shared else name].append((work, time))
  costs = {}
  for key, found in samples.items():
    if len(found) < 8:
      print("%s: %d layers are too few" % (", ".join(key), len(found)), file=sys.stderr)
      continue
    # A constant absorbs the overhead of running a one-node model.
    rows = [[unit / time for unit in work] + [1 / time] for work, time in found]
    costs[key] = nonnegative_least_squares(rows, [1.0] * len(rows))[:-1]
  return costs


def total(work, costs):
  return sum(a * b for a, b in zip(work, costs))


def judge(layers, costs):
  """Prints how much longer the chosen strategies take than the best ones."""
  losses = []
  for title, tier, family, timed in layers:
    units = {name: costs.get((tier, family, name), costs.get((tier, family, OTHERS))) for name in timed}
    known = {name: total(work, units[name]) for name, (work, _) in timed.items() if units[name]}
    if len(known) < 2:
      continue
    chosen = min(known, key=known.get)
    best = min(known, key=lambda name: timed[name][1])
    losses.append((timed[chosen][1] / timed[best][1] - 1, tier, family, title, chosen, best))
  for tier, family in sorted({loss[1:3] for loss in losses}):
    mine = sorted((l for l in losses if l[1:3] == (tier, family)), reverse=True)
    over = sum(l[0] > 0.05 for l in mine)
    mean = 100 * sum(l[0] for l in mine) / len(mine)
    print("%s, %s: %d of %d choices are more than 5 %% too slow, the worst %.0f %%, in the mean %.1f %%"
          % (tier, family, over, len(mine), 100 * mine[0][0], mean), file=sys.stderr)
    for loss, _, _, title, chosen, best in mine[:5]:
      if loss > 0.05:
        print("  %4.0f %%  %s: %s instead of %s" % (100 * loss, title, chosen, best), file=sys.stderr)


def table(costs):
  """Returns the table as Swift source."""
  tiers = collections.defaultdict(lambda: collections.defaultdict(dict))
  for (tier, family, name), units in costs.items():
    tiers[tier][family][name] = units
  lines = []
  for tier, families in sorted(tiers.items()):
    lines.append('    "%s": [' % tier)
    for family, strategies in sorted(families.items()):
      lines.append('      "%s": [' % family)
      for name, units in sorted(strategies.items()):
        numbers = ", ".join("%s: %.3g" % pair for pair in zip(KINDS, units) if pair[1] > 0)
        lines += ['        "%s": KernelWork(' % name, "          %s)," % numbers]
      lines.append("      ],")
    lines.append("    ],")
  return "\n".join(lines)


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("files", nargs="+", help="what 'kernel bench --json' printed")
  parser.add_argument("--by", nargs="+", help="take the costs from these files, and judge them on the others")
  parser.add_argument("--shared", nargs="*", default=["gemm-int8", "gemm-float32"], metavar="FAMILY",
                      help="families whose strategies have the same costs: their work alone tells them apart")
  arguments = parser.parse_args()
  layers = measurements(arguments.files)
  costs = fit(measurements(arguments.by) if arguments.by else layers, arguments.shared)
  judge(layers, costs)
  if not arguments.by:
    print(table(costs))


main()
