#!/usr/bin/env python3
"""A model of scikit-learn as a black box: a JSON text per line in, a label per line out.

Usage: serve_spam.py MODEL
"""

import json
import os
import sys

import joblib


def main(path):
    model = joblib.load(path)
    unfinished = b""
    # Whatever lines there are make a batch: one call of predict() for all of them.
    while chunk := os.read(0, 1 << 20):
        *lines, unfinished = (unfinished + chunk).split(b"\n")
        if lines:
            texts = [json.loads(line)["text"] for line in lines]
            print("\n".join(model.predict(texts)), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
