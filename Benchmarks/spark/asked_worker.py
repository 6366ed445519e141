"""A worker beside a Spark task: it answers the requests of a partition, one batch after the other.

Goes to the executors with `--py-files`; needs nothing but Python itself.
"""

import subprocess
import threading


class AskedWorker:
    """A process of `ocellus worker`, for a `with` statement."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def answers(self, requests):
        """The answers to requests, lines both, in the same order.

        Another thread writes: the worker reads no further than a few requests ahead of its answers.
        """
        writer = threading.Thread(target=self.write, args=(requests,))
        writer.start()
        lines = [self.process.stdout.readline() for _ in requests]
        writer.join()
        if lines and not lines[-1].endswith(b"\n"):
            # The task fails, and Spark tries it again: nothing is left out in silence.
            raise RuntimeError(f"the worker ended too early, with exit code {self.process.wait()}")
        return [line.decode().rstrip("\n") for line in lines]

    def write(self, requests):
        try:
            for request in requests:
                self.process.stdin.write(request.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # The one who reads the answers sees their end, and says so.

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.process.kill()
        self.process.communicate()
        if kind is None and self.process.returncode != 0:
            raise RuntimeError(f"the worker failed, with exit code {self.process.returncode}")
