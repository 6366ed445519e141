"""Plans a fleet: how long so many pictures take on so many machines, and what keeps them from being faster.

    python3 plan_fleet.py                                       the plans of the documentation
    python3 plan_fleet.py --pictures 1e8 --machines 50 --cores 16 --link 1250 --storage 10000

A formula says it, with what measure_worker.py and measure_spark.py measured on this machine; a simulation says it
again, task by task, with single pictures' measured times. The exit code is 1 where the two differ by more than a tenth.
"""

import argparse
import dataclasses
import heapq
import json
import pathlib
import random
import statistics
import sys

MEASURED = pathlib.Path(__file__).with_name("measured.json")
MEGABYTE = 1e6
# Sums of more pictures than these are drawn as the normal distribution that they approach.
MOST_DRAWN = 300


@dataclasses.dataclass
class Work:
    """What was measured of one kind of work."""

    name: str
    bytes: float
    network_seconds: float  # of a picture: the inference alone
    task_seconds: float  # before the first answer of a task
    core_seconds: float  # of a picture in Spark: its transport, decoding and the network
    picture_seconds: list  # times of single pictures in the worker, in a hundred steps

    @classmethod
    def measured(cls, figures):
        in_spark = figures["spark_core_milliseconds"]["worker, mapInPandas"] / 1000
        times = [milliseconds / 1000 for milliseconds in figures["picture_milliseconds"]]
        network = figures["network_milliseconds"] / 1000
        return cls(figures["workload"], figures["bytes"], network, figures["task_seconds"], in_spark, times)

    @property
    def shares(self):
        """Where the time of a picture goes, in words."""
        picture = statistics.fmean(self.picture_seconds)
        parts = {
            "Spark, JSON, base64": self.core_seconds - picture,
            "decoding, resizing, boxes": picture - self.network_seconds,
            "inference": self.network_seconds,
        }
        return ", ".join(f"{name} {part * 1000:.2f} ms" for name, part in parts.items())

    def sum_of_pictures(self, count, chance):
        """How long a core takes for so many pictures, with their chance: what Spark adds is the same for all."""
        mean = statistics.fmean(self.picture_seconds)
        if count <= MOST_DRAWN:
            drawn = sum(chance.choices(self.picture_seconds, k=count))
        else:
            drawn = chance.gauss(mean * count, statistics.pstdev(self.picture_seconds) * count**0.5)
        return drawn + (self.core_seconds - mean) * count


@dataclasses.dataclass
class Fleet:
    """Machines, and what is between them and the pictures."""

    machines: int = 10
    cores: int = 16
    link: float = 1250  # MB/s of a machine
    storage: float = 10000  # MB/s of all together
    latency: float = 0  # seconds for each object, where every picture is one
    dispatch: float = 200  # tasks a second that the driver hands out


def rates(work, fleet, batch):
    """Pictures a second that each part of the fleet can do, by its name."""
    fetch = fleet.latency
    compute = work.core_seconds + work.task_seconds / batch
    return {
        "cores" if fetch < compute else "latency": fleet.machines * fleet.cores / (compute + fetch),
        "links": fleet.machines * fleet.link * MEGABYTE / work.bytes,
        "storage": fleet.storage * MEGABYTE / work.bytes,
        "driver": fleet.dispatch * batch,
    }


def planned_seconds(work, fleet, pictures, batch):
    """The formula: all pictures at the slowest rate; at the end half of the cores wait for a last task, on average."""
    task = work.task_seconds + batch * (work.core_seconds + fleet.latency)
    return pictures / min(rates(work, fleet, batch).values()) + task / 2


def simulated_seconds(work, fleet, pictures, batch, chance):
    """Hands out one task after the other to the core that is free first.

    The pictures of a task come through its machine's link and the storage, which serve one after the other.
    """
    free = [(0.0, core % fleet.machines) for core in range(fleet.machines * fleet.cores)]
    links, storage, driver, end = [0.0] * fleet.machines, 0.0, 0.0, 0.0
    for first in range(0, pictures, batch):
        count = min(batch, pictures - first)
        since, machine = heapq.heappop(free)
        driver = start = max(since, driver + 1 / fleet.dispatch)
        volume = count * work.bytes / MEGABYTE
        links[machine] = max(links[machine], start) + volume / fleet.link
        storage = max(storage, start) + volume / fleet.storage
        computed = start + work.task_seconds + count * fleet.latency + work.sum_of_pictures(count, chance)
        finish = max(computed, links[machine], storage)
        heapq.heappush(free, (finish, machine))
        end = max(end, finish)
    return end


def in_words(seconds):
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} s"


def print_plan(work, fleet, pictures, batch):
    """A line of the table; whether formula and simulation agree."""
    by_part = rates(work, fleet, batch)
    limit = min(by_part, key=by_part.get)
    planned = planned_seconds(work, fleet, pictures, batch)
    simulated = simulated_seconds(work, fleet, pictures, batch, random.Random(pictures))
    print(
        f"| {work.name} | {pictures:.0e} | {fleet.machines} × {fleet.cores} | {fleet.latency * 1000:.0f} ms"
        f" | {batch:,} | {by_part[limit]:,.0f} | {limit} | {in_words(planned)} | {in_words(simulated)} |"
    )
    return abs(planned / simulated - 1) <= 0.1


def plans_of_the_documentation():
    """A fleet for each number of pictures; last, one where every picture is an object of its own."""
    for pictures, machines, batch in ((1e6, 4, 2000), (1e7, 4, 10000), (1e8, 50, 10000), (1e9, 200, 20000)):
        yield Fleet(machines), pictures, batch
    yield Fleet(50, latency=0.02), 1e8, 10000
    yield Fleet(50), 1e8, 100
    yield Fleet(200, storage=1000), 1e8, 10000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pictures", type=float)
    parser.add_argument("--batch", type=int, default=10000, help="pictures in a task (10,000)")
    for field in dataclasses.fields(Fleet):
        parser.add_argument(f"--{field.name}", type=field.type, default=field.default)
    arguments = vars(parser.parse_args())
    pictures, batch = arguments.pop("pictures"), arguments.pop("batch")
    plans = [(Fleet(**arguments), pictures, batch)] if pictures else list(plans_of_the_documentation())

    print("| Work | Pictures | Machines × cores | An object | In a task | A second | Limit | Planned | Simulated |")
    print("|---|---|---|---|---|---|---|---|---|")
    works = [Work.measured(figures) for figures in json.loads(MEASURED.read_text())]
    agree = [print_plan(work, fleet, int(count), batch) for work in works for fleet, count, batch in plans]
    print()
    for work in works:
        batch = 20 * work.task_seconds / work.core_seconds
        print(f"{work.name}: {work.shares}; starting costs a twentieth with {batch:,.0f} in a task")
    return 0 if all(agree) else 1


if __name__ == "__main__":
    sys.exit(main())
