#!/usr/bin/env python3
"""Tampers with a certificate of `ocellus prove` in many ways; its checker must refuse each.

The hash over the contents and the counts are made right again, so that the checker has to find out
from the model.

    python3 tamper_certificate.py certificate.json model.tflite
"""

import copy
import hashlib
import json
import sys

from check_certificate import Refused, check

ARGUMENTS = (
    "every_sum", "every_value", "every_pair", "every_place", "every_selection", "every_float",
    "shape_only",
)


def found(certificate, **wanted):
    """Returns the index of the first node with these members, or None."""
    for index, node in enumerate(certificate["nodes"]):
        if all(node[name] == value for name, value in wanted.items()):
            return index
    return None


def first(certificate, **wanted):
    """Returns the index of the first node with these members, which the certificate must have."""
    index = found(certificate, **wanted)
    if index is None:
        sys.exit(f"the certificate has no node with {wanted}: take another model")
    return index


def tamperings(certificate):
    """Returns functions that each change a copy of the certificate."""
    summed = first(certificate, argument="every_sum")
    if certificate["nodes"][summed]["sums"] is None:
        sys.exit("the first node with sums is no node with weights: take another model")
    moved = first(certificate, argument="every_place")
    open_node = found(certificate, outcome="not_proved", sums=None)

    def node(index, **members):
        return lambda c: c["nodes"][index].update(members)

    def sums(name, change):
        def apply(c):
            c["nodes"][summed]["sums"][name] = change(c["nodes"][summed]["sums"][name])

        return apply

    def proved(argument):
        return node(
            open_node, outcome="proved", argument=argument, reason=None, comparisons=10**12)

    changes = [
        node(summed, comparisons=5), node(summed, sums=None), node(summed, argument="every_value"),
        node(summed, argument="every_place"), node(summed, argument=None),
        node(summed, operator="ADD"), node(summed, node=99), node(summed, subgraph=1),
        sums("count", lambda n: n - 1), sums("least", lambda n: n + 1),
        sums("greatest", lambda n: n - 1), sums("channels", lambda n: n + 1),
        sums("sha256", lambda text: text[::-1]),
        node(moved, comparisons=1), node(moved, argument="every_pair"),
        node(moved, sums=certificate["nodes"][summed]["sums"]),
        lambda c: c["nodes"].pop(0), lambda c: c["nodes"].append(c["nodes"][0]),
        lambda c: c["nodes"].reverse(),
        lambda c: c["model"].update(sha256="0" * 64), lambda c: c["model"].update(bytes=1),
        lambda c: c.update(schema="another"),
    ]
    if open_node is not None:
        changes += [proved(argument) for argument in ARGUMENTS] + [node(open_node, reason=None)]
    for argument in ARGUMENTS:
        index = found(certificate, argument=argument)
        if index is None:
            continue
        wrong = [other for other in ARGUMENTS if other != argument]
        changes += [node(index, argument=other, comparisons=10**12) for other in wrong]
        changes.append(node(index, comparisons=certificate["nodes"][index]["comparisons"] // 10**4))
    softmax = found(certificate, operator="SOFTMAX", argument="every_sum")
    if softmax is not None:
        facts = certificate["nodes"][softmax]["sums"]
        changes += [node(softmax, sums={**facts, "sha256": facts["sha256"][::-1]}),
                    node(softmax, sums={**facts, "greatest": facts["greatest"] - 1})]
    return changes


def bind(certificate):
    """Makes counts and hash those of the contents."""
    for outcome in ("proved", "refuted", "not_proved"):
        certificate[outcome] = sum(node["outcome"] == outcome for node in certificate["nodes"])
    members = ("program_version", "instruction_set", "model", "nodes")
    text = json.dumps([certificate[name] for name in members], ensure_ascii=False)
    certificate["sha256"] = hashlib.sha256(text.encode()).hexdigest()


def is_refused(certificate, data):
    try:
        check(certificate, data)
    except (Refused, KeyError, TypeError):
        return True
    return False


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        genuine = json.load(file)
    with open(sys.argv[2], "rb") as file:
        data = file.read()
    check(genuine, data)
    changes = tamperings(genuine)
    accepted = 0
    for number, change in enumerate(changes):
        tampered = copy.deepcopy(genuine)
        change(tampered)
        bind(tampered)
        if not is_refused(tampered, data):
            accepted += 1
            print(f"tampering {number} is accepted", file=sys.stderr)
    for name, value in (("proved", 99), ("instruction_set", "other"), ("program_version", "9")):
        if not is_refused({**genuine, name: value}, data):
            accepted += 1
            print(f"another {name} is accepted", file=sys.stderr)
    print(f"{len(changes) + 3 - accepted} of {len(changes) + 3} tampered certificates are refused")
    return 1 if accepted else 0


if __name__ == "__main__":
    sys.exit(main())
