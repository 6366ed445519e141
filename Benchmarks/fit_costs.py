#!/usr/bin/env python3
"""Fits the costs of strategies' work to times measured on this machine, and evaluates choices by these costs.

    Benchmarks/draw_layers.py depthwise 90 --seed 1 --type int8 > layers.txt
    ocellus kernel bench --shapes layers.txt --json > int8.json
    Benchmarks/fit_costs.py int8.json float32.json       print the table for Sources/KernelDispatch/KernelCosts.swift
    Benchmarks/fit_costs.py other.json --by int8.json    evaluate the costs of some layers on others

For a layer, a strategy does a number of units of five kinds of work (KernelWork). The nonnegative costs of a unit
first minimize the squared relative errors of the total against the measured times: layers of microseconds count as
much as layers of milliseconds. Then they are varied at random, as long as what the choices lose shrinks.
"""
import argparse
import collections
import json
import math
import random
import sys

KINDS = ["loops", "loads", "results", "products", "fetches"]


def measurements(paths):
  """Returns the timed strategies of every layer and instruction set: (work, nanoseconds) by family and name."""
  layers = []
  for path in paths:
    for node in json.load(open(path))["nodes"]:
      sets = collections.defaultdict(dict)
      for way in node["implementations"]:
        if way["strategy"] and way["ms"] and "exact" not in way["name"]:
          tier = way["name"].split(",")[0]
          sets[tier, way["family"]][way["strategy"]] = (way["work"], 1e6 * way["ms"]["min"])
      layers += [(node["node"], tier, family, timed) for (tier, family), timed in sets.items()]
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
# From where a cost that was fitted as nothing is varied.
SMALLEST = [1, 0.02, 0.05, 0.002, 0.02]


def fit(layers, shared, apart):
  """Returns the costs of every strategy with enough measurements; strategies of shared families have common costs."""
  samples = collections.defaultdict(list)
  for _, tier, family, timed in layers:
    for name, (work, time) in timed.items():
      samples[tier, family, OTHERS if family in shared and name not in apart else name].append((work, time))
  costs = {}
  for key, found in samples.items():
    if len(found) < 8:
      continue
    # A constant absorbs the overhead of running a one-node model.
    rows = [[unit / time for unit in work] + [1 / time] for work, time in found]
    costs[key] = nonnegative_least_squares(rows, [1.0] * len(rows))[:-1]
  return costs


def total(work, costs):
  return sum(a * b for a, b in zip(work, costs))


def predictions(layer, costs):
  """Returns the predicted time of every strategy of a layer whose costs are known."""
  _, tier, family, timed = layer
  units = {name: costs.get((tier, family, name), costs.get((tier, family, OTHERS))) for name in timed}
  return {name: total(work, units[name]) for name, (work, _) in timed.items() if units[name]}


def choices(layers, costs):
  """Yields every choice: what it loses, its instruction set, family and layer, the chosen and the best strategy."""
  for layer in layers:
    title, tier, family, timed = layer
    known = predictions(layer, costs)
    if len(known) > 1:
      chosen = min(known, key=known.get)
      best = min(known, key=lambda name: timed[name][1])
      yield timed[chosen][1] / timed[best][1] - 1, tier, family, title, chosen, best


def misfit(layers, costs):
  """Returns what the choices lose in the mean, and a little for predictions that are off."""
  losses = [min(loss[0], 1) for loss in choices(layers, costs)]
  errors = [math.log(max(time, 1) / layer[3][name][1])
            for layer in layers for name, time in predictions(layer, costs).items()]
  middle = sum(errors) / max(len(errors), 1)
  spread = sum((error - middle) ** 2 for error in errors) / max(len(errors), 1)
  return sum(losses) / max(len(losses), 1) + 0.02 * spread


def refine(layers, costs, steps):
  """Varies the costs of a family at random, and keeps what loses less."""
  occurs = collections.Counter((tier, family, name, kind) for _, tier, family, timed in layers
                               for name in timed for kind in range(len(KINDS)) if timed[name][0][kind] > 0)
  draw = random.Random(1)
  groups = collections.defaultdict(list)
  for key in costs:
    groups[key[:2]].append(key)
  for group, keys in groups.items():
    mine = [layer for layer in layers if layer[1:3] == group]
    least = misfit(mine, costs)
    for _ in range(steps):
      key, kind = draw.choice(keys), draw.randrange(len(KINDS))
      if key[2] != OTHERS and not occurs[key + (kind,)]:
        continue
      before = costs[key]
      costs[key] = list(before)
      costs[key][kind] = max(before[kind], SMALLEST[kind]) * math.exp(draw.gauss(0, 0.5)) if draw.random() < 0.95 else 0
      found = misfit(mine, costs)
      if found <= least:
        least = found
      else:
        costs[key] = before


def judge(layers, costs):
  """Prints how much longer the chosen strategies take than the best ones."""
  losses = list(choices(layers, costs))
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
  parser.add_argument("--apart", nargs="*", default=[], metavar="STRATEGY",
                      help="strategies with costs of their own in these families")
  parser.add_argument("--steps", type=int, default=1500, help="random variations of each family's costs")
  arguments = parser.parse_args()
  layers = measurements(arguments.files)
  known = measurements(arguments.by) if arguments.by else layers
  costs = fit(known, arguments.shared, arguments.apart)
  refine(known, costs, arguments.steps)
  judge(layers, costs)
  if not arguments.by:
    print(table(costs))


main()
