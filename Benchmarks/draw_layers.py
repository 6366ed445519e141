#!/usr/bin/env python3
"""Generates random layers with sizes that real networks have, for `ocellus kernel bench --shapes`.

    Benchmarks/draw_layers.py depthwise 90 --seed 1 --type int8 > layers.txt
    ocellus kernel bench --shapes layers.txt --assert 5

Each seed gives other layers: costs fitted on one set are evaluated on the next.
"""
import argparse
import random

SIDES = [5, 7, 8, 10, 12, 14, 15, 16, 19, 20, 24, 28, 32, 38, 40, 48, 56, 64, 75, 80, 96, 112, 128]
CHANNELS = [3, 8, 12, 16, 20, 24, 30, 32, 40, 48, 56, 64, 72, 80, 88, 96, 112, 120, 128, 144, 160, 192, 240, 256, 288, 320, 384, 480,
            512, 576, 672, 768, 960, 1024, 1280]
# The multiply-adds of a layer: smaller ones measure a run's overhead, larger ones take long without new information.
WORK = range(20_000, 12_000_000)
PRODUCT_WORK = range(20_000, 60_000_000)


def depthwise(draw, kind):
  """Returns a depthwise convolution, or None for sizes that no network has."""
  height = draw.choice(SIDES)
  width = height if draw.random() < 0.8 else draw.choice(SIDES)
  channels = draw.choice(CHANNELS)
  columns = draw.choice([3] * 12 + [5] * 5 + [7] * 2 + [1])
  rows = columns if draw.random() < 0.85 else draw.choice([1, 3, 5])
  stride = draw.choice([1, 1, 1, 2, 2, 3])
  dilation = draw.choice([2, 3, 4]) if stride == 1 and draw.random() < 0.15 else 1
  if (columns - 1) * dilation >= width or (rows - 1) * dilation >= height:
    return None
  if (height // stride) * (width // stride) * channels * rows * columns not in WORK:
    return None
  return ("DEPTHWISE_CONV_2D 1x%dx%dx%d 1x%dx%dx%d %s padding=%s stride_h=%d stride_w=%d dilation_h_factor=%d dilation_w_factor=%d"
          % (height, width, channels, rows, columns, channels, kind, draw.choice(["same"] * 3 + ["valid"]), stride, stride, dilation, dilation))


def convolution(draw, kind):
  """Returns a convolution (every second one has a 1 x 1 filter), or None for sizes that no network has."""
  height = draw.choice(SIDES)
  width = height if draw.random() < 0.8 else draw.choice(SIDES)
  inputs, outputs = draw.choice(CHANNELS), draw.choice([1, 2, 4] + CHANNELS)
  columns = draw.choice([1] * 10 + [3] * 7 + [5] * 2 + [7])
  rows = columns if draw.random() < 0.9 else draw.choice([1, 3, 5])
  stride = draw.choice([1, 1, 1, 1, 2, 2])
  dilation = draw.choice([2, 3, 4]) if stride == 1 and columns > 1 and draw.random() < 0.15 else 1
  if (columns - 1) * dilation >= width or (rows - 1) * dilation >= height:
    return None
  if (height // stride) * (width // stride) * inputs * outputs * rows * columns not in PRODUCT_WORK:
    return None
  return ("CONV_2D 1x%dx%dx%d %dx%dx%dx%d %s padding=%s stride_h=%d stride_w=%d dilation_h_factor=%d dilation_w_factor=%d"
          % (height, width, inputs, outputs, rows, columns, inputs, kind, draw.choice(["same"] * 3 + ["valid"]), stride, stride,
             dilation, dilation))


def dense(draw, kind):
  """Returns a fully connected layer of one or more rows, or None for sizes that no network has."""
  rows = draw.choice([1] * 6 + [2, 3, 4, 5, 8, 16, 49, 64, 100, 128, 196])
  inputs, outputs = draw.choice(CHANNELS + [2048]), draw.choice([1, 2, 4, 10] + CHANNELS + [2048])
  if rows * inputs * outputs not in PRODUCT_WORK:
    return None
  return "FULLY_CONNECTED %dx%d %dx%d %s" % (rows, inputs, outputs, inputs, kind)


KINDS = {"convolution": convolution, "dense": dense, "depthwise": depthwise}


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("kind", choices=KINDS)
  parser.add_argument("count", type=int)
  parser.add_argument("--seed", type=int, default=1)
  parser.add_argument("--type", default="float32", choices=["float32", "int8", "int16"])
  arguments = parser.parse_args()
  draw = random.Random(arguments.seed)
  count = 0
  while count < arguments.count:
    layer = KINDS[arguments.kind](draw, arguments.type)
    if layer:
      print(layer)
      count += 1


main()
