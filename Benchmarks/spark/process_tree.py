"""The processes below one, as Linux shows them under /proc."""

import collections
import contextlib
import os
import pathlib


def status_fields():
    """The numbers of /proc/PID/stat behind the name of each process, by its id."""
    fields = {}
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # of a process that has ended by now
            fields[int(status.parent.name)] = status.read_text().rpartition(")")[2].split()
    return fields


def processes_below(ancestor, fields=None):
    """The ids of all descendants, and of the process itself."""
    children = collections.defaultdict(list)
    for process, (_, parent, *_) in (fields or status_fields()).items():
        children[int(parent)].append(process)
    found, waiting = [], [ancestor]
    while waiting:
        found.append(waiting.pop())
        waiting += children[found[-1]]
    return found


def core_seconds_below(ancestor):
    """The time that a process and its descendants have computed, those among them that have ended."""
    fields = status_fields()
    ticks = (int(tick) for each in processes_below(ancestor, fields) for tick in fields[each][11:15])
    return sum(ticks) / os.sysconf("SC_CLK_TCK")
