"""Races `ocellus serve` with the server of serve_fastapi.py, in turns, by wrk.

  race_serve.py OCELLUS_SERVE MODEL PICTURE [--rounds 3] [--seconds 10] [--connections 8]

Prints the requests a second of each round and the median ratio. Both have as many workers as the
machine has processors.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("server")
parser.add_argument("model")
parser.add_argument("picture")
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--seconds", type=int, default=10)
parser.add_argument("--connections", type=int, default=8)
arguments = parser.parse_args()
processors = len(os.sched_getaffinity(0))
here = os.path.dirname(os.path.abspath(__file__))


def wait_for(url):
    for _ in range(600):
        try:
            urllib.request.urlopen(url, timeout=1)
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
    sys.exit(f"{url} does not answer")


def rate(url, script):
    output = subprocess.run(
        ["wrk", "-t", "1", "-c", str(arguments.connections), "-d", f"{arguments.seconds}s",
         "--timeout", "30s", "-s", script, url], check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in output:
        sys.exit(output)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1))


with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
    script.write(
        f'local file = io.open("{os.path.abspath(arguments.picture)}", "rb")\n'
        'wrk.method = "POST"\nwrk.body = file:read("*a")\n'
        'wrk.headers["Content-Type"] = "image/jpeg"\n')
    script.flush()
    ours = subprocess.Popen(
        [arguments.server, "-m", f"m={arguments.model}", "--listen", "127.0.0.1:5010"],
        stderr=subprocess.DEVNULL)
    peer = subprocess.Popen(
        [sys.executable, "-m", "uvicorn", "serve_fastapi:app", "--workers", str(processors),
         "--port", "5011", "--log-level", "error"], cwd=here,
        env={**os.environ, "MODEL": os.path.abspath(arguments.model)})
    try:
        servers = {"ocellus": "http://127.0.0.1:5010/detect", "FastAPI": "http://127.0.0.1:5011/detect"}
        for url in servers.values():
            wait_for(url)
        rates = {name: [] for name in servers}
        for turn in range(arguments.rounds):
            for name in sorted(servers, reverse=turn % 2 == 1):
                rates[name].append(rate(servers[name], script.name))
            print({name: round(values[-1], 1) for name, values in rates.items()}, flush=True)
        ratio = statistics.median(a / b for a, b in zip(rates["ocellus"], rates["FastAPI"]))
        print(f"ocellus answers {ratio:.2f} times as many")
    finally:
        ours.terminate()
        peer.terminate()
        ours.wait()
        peer.wait()
