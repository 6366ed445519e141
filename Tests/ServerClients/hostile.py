"""Sends a running server what no client should, and checks that it answers others meanwhile.

  hostile.py URL FOLDER [COUNT]     FOLDER has pictures, of which COUNT damaged copies are sent
"""

import glob
import gzip
import http.client
import json
import random
import socket
import sys
import threading
import time
import urllib.parse
import zlib

url, folder = sys.argv[1:3]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 500
address = urllib.parse.urlparse(url)
dice = random.Random(1)
known = {200, 400, 404, 405, 413, 415, 422, 503, 504}


def ask(method, path, body=None, headers={}):
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def damaged(data):
    data = bytearray(data)
    for _ in range(dice.choice([1, 3, 30])):
        place = dice.randrange(min(len(data), dice.choice([64, 1024, len(data)])))
        data[place] = dice.choice([0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)])
    return bytes(data[: dice.choice([len(data), dice.randrange(1, len(data))])])


def send_pictures():
    pictures = [open(path, "rb").read() for path in sorted(glob.glob(f"{folder}/*.[jp][pn]g"))]
    counts = {}
    for _ in range(count):
        status, body = ask("POST", dice.choice(["/detect", "/label", "/track/x"]), damaged(dice.choice(pictures)))
        assert status in known and (status == 200 or json.loads(body)["error"]), (status, body)
        counts[status] = counts.get(status, 0) + 1
    print("damaged pictures:", dict(sorted(counts.items())))


def send_forms_and_tensors():
    form = (b"--B\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a\"\r\n\r\nabc\r\n"
            b"--B\r\nContent-Disposition: form-data; name=\"min_confidence\"\r\n\r\n0.5\r\n--B--\r\n")
    header = {"Content-Type": "multipart/form-data; boundary=B"}
    tensor = json.loads(ask("GET", "/v2/models/labeler")[1])["inputs"][0]
    request = json.dumps({"inputs": [{**tensor, "parameters": {"binary_data_size": 100}}]}).encode()
    for _ in range(count):
        status, _ = ask("POST", "/v1/vision/detection", damaged(form), header)
        assert status in known, status
        status, _ = ask("POST", "/v2/models/labeler/infer", damaged(request + bytes(100)),
                        {"Inference-Header-Content-Length": str(dice.choice([0, 5, len(request), 10**20]))})
        assert status in known, status
    for shape in [[1 << 40], [-1], [1 << 31, 1 << 31], [0], [], ["x"], None]:
        body = json.dumps({"inputs": [{**tensor, "shape": shape, "data": [0]}]})
        assert ask("POST", "/v2/models/labeler/infer", body)[0] in {400, 413}, shape
    nested = b'{"inputs": ' + b"[" * 100000
    assert ask("POST", "/v2/models/labeler/infer", nested)[0] == 400
    print("damaged forms and tensors: refused")


def connect():
    return socket.create_connection((address.hostname, address.port), timeout=60)


def occupy(connections):
    """Opens connections that send a byte every second, or nothing."""
    head = b"POST /detect HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"
    while not ended.is_set():
        for index, connection in enumerate(connections):
            try:
                if index % 3:
                    connection.send(head[:1] if index % 3 == 1 else head)
            except OSError:
                pass
        ended.wait(1)


def others_are_answered():
    picture = open(sorted(glob.glob(f"{folder}/*.jpg"))[0], "rb").read()
    slowest = 0
    for _ in range(20):
        start = time.time()
        assert ask("POST", "/detect", picture)[0] == 200
        slowest = max(slowest, time.time() - start)
    print(f"beside 300 slow clients: the slowest of 20 requests took {slowest:.2f} s")


def send_compressed_bombs():
    """Sends bodies that grow by decompression, and damaged ones."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = b"".join(compressor.compress(bytes(1 << 20)) for _ in range(256)) + compressor.flush()
    for path in ["/detect", "/v2/models/labeler/infer"]:
        assert ask("POST", path, zeros, {"Content-Encoding": "gzip"})[0] == 413
    # A million files without contents, and one that is cut in each way.
    empty = gzip.compress(b"") * 1_000_000
    assert ask("POST", "/detect", empty, {"Content-Encoding": "gzip"})[0] == 400
    for coding, whole in [("gzip", gzip.compress(b"[1, 2, 3]" * 50)), ("deflate", zlib.compress(b"[1, 2, 3]" * 50))]:
        for length in range(len(whole)):
            status, _ = ask("POST", "/v2/models/labeler/infer", whole[:length], {"Content-Encoding": coding})
            assert status == 400, (coding, length, status)
        for _ in range(count):
            status, _ = ask("POST", "/v2/models/labeler/infer", damaged(whole), {"Content-Encoding": coding})
            assert status in known, status
    print("compressed bombs: refused")


def send_bombs():
    connection = connect()
    connection.sendall(b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % i for i in range(10000)))
    try:
        connection.sendall(b"\r\n")
        connection.recv(1000)
    except OSError:
        pass
    connection = connect()
    connection.sendall(b"POST /detect HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    chunk = b"100000\r\n" + bytes(1 << 20) + b"\r\n"
    sent = 0
    try:
        for _ in range(500):
            connection.sendall(chunk)
            sent += 1
    except OSError:
        pass
    assert sent < 500, "a body without end was received"
    send_compressed_bombs()
    assert ask("GET", "/health")[0] == 200
    print(f"10,000 headers, and a body without end: cut after {sent} MiB")


send_pictures()
send_forms_and_tensors()
send_bombs()
ended = threading.Event()
slow = threading.Thread(target=occupy, args=([connect() for _ in range(300)],))
slow.start()
try:
    others_are_answered()
finally:
    ended.set()
    slow.join()
