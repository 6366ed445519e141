"""Sends SIGTERM to a server under load: every request that it has received must be answered.

  drain.py URL PROCESS PICTURE
"""

import http.client
import os
import signal
import sys
import threading
import time
import urllib.parse

url, process, picture = sys.argv[1:]
address = urllib.parse.urlparse(url)
body = open(picture, "rb").read()
answered, refused, lost = [], [], []
ended = threading.Event()


def ask():
    while not ended.is_set():
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
        try:
            connection.connect()
        except OSError:
            # The server takes no connections any more, so it has received nothing.
            refused.append(1)
            return
        try:
            connection.request("POST", "/detect", body)
            answered.append(connection.getresponse().status)
        except OSError as error:
            lost.append(error)
            return
        finally:
            connection.close()


threads = [threading.Thread(target=ask) for _ in range(16)]
for thread in threads:
    thread.start()
time.sleep(1)
os.kill(int(process), signal.SIGTERM)
for thread in threads:
    thread.join()
print(f"{len(answered)} answered, {len(lost)} lost, {len(refused)} not connected")
# A connection that the system accepted after the server's last look is reset: it was never received.
if set(answered) - {200, 503} or len(lost) > 1:
    sys.exit(f"lost: {lost}, statuses: {set(answered)}")
