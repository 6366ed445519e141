"""Sends a server many requests of all kinds, and checks that its memory stays what it was.

  soak.py URL PICTURE PROCESS [COUNT]

Most requests have a small picture; others are damaged, refused, or given up by their client. PROCESS is the number of
the server's process, whose memory is compared with that after the first tenth of the requests.
"""

import collections
import gzip
import http.client
import random
import sys
import threading
import urllib.parse

url, picture, process = sys.argv[1:4]
count = int(sys.argv[4]) if len(sys.argv) > 4 else 50_000
address = urllib.parse.urlparse(url)
photo = open(picture, "rb").read()
LIMIT = 16 << 20
"""How many bytes the memory may grow: allocators keep some of what was in use at the same time."""


def memory():
    """Returns the resident memory of the server, in bytes."""
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmRSS"))


def damaged(dice):
    data = bytearray(photo)
    for _ in range(dice.choice([1, 10])):
        data[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(data[: dice.randrange(1, len(data) + 1)])


class Client:
    """One that keeps its connection as long as the server does."""

    def __init__(self, number):
        self.dice = random.Random(number)
        self.counts = collections.Counter()
        self.connection = None

    def ask(self, method, path, body=None, headers={}):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        answer.read()
        self.counts[answer.status] += 1

    def give_up(self, sent):
        """Leaves in the middle of a request, or before its answer."""
        head = f"POST /detect HTTP/1.1\r\nHost: x\r\nContent-Length: {len(photo)}\r\n\r\n".encode()
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
        connection.connect()
        connection.sock.sendall((head + photo)[:sent])
        connection.close()
        self.counts["given up"] += 1

    def one(self):
        kind = self.dice.randrange(20)
        if kind < 10:
            self.ask("POST", "/detect", photo)
        elif kind < 13:
            self.ask("POST", "/detect", damaged(self.dice))
        elif kind < 15:
            self.give_up(self.dice.choice([10, 80, len(photo), 10**9]))
        elif kind == 15:
            self.ask("POST", f"/{self.dice.randrange(10**9)}", photo)
        elif kind == 16:
            self.ask("POST", f"/track/{self.dice.randrange(10**9)}", photo)
        elif kind == 17:
            self.ask("POST", "/detect", gzip.compress(photo, 1), {"Content-Encoding": "gzip"})
        elif kind == 18:
            self.ask("POST", "/v2/models/x/infer", b'{"inputs": [')
        else:
            self.ask("GET", "/metrics")

    def run(self, requests):
        for _ in range(requests):
            try:
                self.one()
            except (OSError, http.client.HTTPException):
                # The server closes connections after some errors.
                self.counts["closed"] += 1
                self.connection = None


def ask(clients, requests):
    threads = [threading.Thread(target=client.run, args=(requests // len(clients),)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


clients = [Client(number) for number in range(16)]
start = memory()
ask(clients, count // 10)
early = memory()
ask(clients, count - count // 10)
late = memory()
counts = sum((client.counts for client in clients), collections.Counter())
print("answers:", ", ".join(f"{number} × {status}" for status, number in sorted(counts.items(), key=str)))
print(f"memory: {start >> 10} KiB, {early >> 10} KiB after a tenth, {late >> 10} KiB at the end")
if late > early + LIMIT:
    sys.exit("the memory grows")
