"""Proves that sharded runs which are killed again and again end with the results of undisturbed ones.

    python3 kill_shards.py ../../.build/release/ocellus --kills 50

Shards of a list of small pictures, broken ones among them, are looked at undisturbed. Then each is killed
(`kill -9`) at random moments, from its very start on, and resumed until it is through; where that took fewer kills,
it is done once more. Every time what `ocellus merge` makes of the shards must be the same, to the byte, and so must
the root. The exit code is 1 where that is not so.
"""

import argparse
import base64
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from exactly_once import MODEL
from make_requests import SEED, request

COUNT = 3000
SHARDS = 3


class Shards:
    """Pictures, a list of them, and a program that looks at them part by part."""

    def __init__(self, folder, program, model):
        self.folder, self.program, self.model = pathlib.Path(folder), program, model
        paths = []
        for number in range(COUNT):
            asked = request(number)
            paths.append(f"{asked['id']}.jpg")
            if "data" in asked and not asked["data"].startswith("!"):
                (self.folder / paths[-1]).write_bytes(base64.b64decode(asked["data"]))
        (self.folder / "list.txt").write_text("".join(path + "\n" for path in paths))

    def start(self, shard, results):
        command = [self.program, "label", "list.txt", "-m", self.model, "--shard", f"{shard}/{SHARDS}", "--resume", results]
        return subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def is_complete(self, shard, results):
        return (self.folder / results / f"results-{shard}-of-{SHARDS}.jsonl").exists()

    def merged(self, results):
        """What all shards say together, and the root of it."""
        command = [self.program, "merge", results, "-o", f"{results}.jsonl", "--json"]
        said = subprocess.run(command, cwd=self.folder, capture_output=True, check=True).stdout
        return (self.folder / f"{results}.jsonl").read_bytes(), json.loads(said)["root"]


def run_undisturbed(shards):
    """What the shards say, and how long one takes."""
    start = time.monotonic()
    for shard in range(1, SHARDS + 1):
        shards.start(shard, "undisturbed").wait()
    seconds = (time.monotonic() - start) / SHARDS
    return shards.merged("undisturbed"), seconds


def run_killed(shards, results, longest, kills, chance):
    """Kills and resumes every shard until it is through; the results that each kill left behind it."""
    left = []
    for shard in range(1, SHARDS + 1):
        while not shards.is_complete(shard, results):
            process = shards.start(shard, results)
            if len(left) < kills:
                time.sleep(chance.uniform(0, longest))
                process.kill()
            process.wait()
            if process.returncode < 0:
                left.append(lines_of_part(shards.folder / results))
    return left


def lines_of_part(folder):
    """How many lines there are in the file that is not complete, and whether the last is torn."""
    parts = list(folder.glob("*.part"))
    text = parts[0].read_bytes() if parts else b""
    return text.count(b"\n"), bool(text) and not text.endswith(b"\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--model", type=os.path.abspath, default=MODEL, help="a classifier")
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()

    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        shards = Shards(folder, arguments.program, arguments.model)
        (lines, root), seconds = run_undisturbed(shards)
        print(f"undisturbed, {seconds:.2f} s for each of {SHARDS} shards: {len(lines.splitlines())} results, root {root}")
        left, rounds, is_fine = [], 0, len(lines.splitlines()) == COUNT
        while len(left) < arguments.kills:
            results = f"killed-{rounds}"
            left += run_killed(shards, results, seconds / 3, arguments.kills - len(left), chance)
            rounds += 1
            is_fine &= shards.merged(results) == (lines, root)
        print(
            f"killed {len(left)} times in {rounds} rounds: {sum(count > 0 for count, _ in left)} times with results,"
            f" {sum(torn for _, torn in left)} times in the middle of a line;"
            f" results and root are {'the same' if is_fine else 'different'}"
        )
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
