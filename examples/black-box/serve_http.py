#!/usr/bin/env python3
"""Any black box program behind a URL: lists of texts go in, lists of labels come out.

POST {"texts": ["..", ..]} is answered with {"labels": ["..", ..]}. A path that ends in
/chat/completions is answered as a language model's API would: the text is what stands between the
lines <<< and >>> of the question. So the commands for chats can be tried without one.

Usage: serve_http.py PORT COMMAND [ARGUMENT..]
"""

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Program:
    def __init__(self, command):
        self.lock = threading.Lock()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def labels(self, texts):
        with self.lock:
            labels = []
            for number, text in enumerate(texts, 1):
                print(json.dumps({"id": number, "text": text}, ensure_ascii=False, separators=(",", ":")),
                      file=self.process.stdin, flush=True)
                labels.append(self.process.stdout.readline().strip())
            return labels


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/chat/completions"):
            question = asked["messages"][0]["content"]
            text = question.split("<<<\n", 1)[1].rsplit("\n>>>", 1)[0]
            label = self.server.program.labels([text])[0]
            answer = {"choices": [{"message": {"role": "assistant", "content": f"**{label.title()}**."}}]}
        else:
            answer = {"labels": self.server.program.labels(asked["texts"])}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main(port, command):
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.program = Program(command)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(int(sys.argv[1]), sys.argv[2:])
