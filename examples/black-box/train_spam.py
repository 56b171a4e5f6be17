#!/usr/bin/env python3
"""Trains a spam filter that is used to noise: on copies of the messages that lost each word with
probability P.

Usage: train_spam.py dataSet.txt MODEL P
"""

import random
import re
import sys

import joblib
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

COPIES = 20  # of every message


def messages(path):
    """The words and the label of each message that is not for testing."""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if number % 5 == 0 or "\t" not in line:
                continue
            label, text = line.rstrip("\n").split("\t", 1)
            yield re.findall(r"\w+|[^\w\s]", text.lower()), "spam" if label in ("spam", "bad") else "ham"


def main(path, model_path, p):
    draw = random.Random(1)
    texts, labels = [], []
    for words, label in messages(path):
        for _ in range(COPIES):
            texts.append(" ".join(word for word in words if draw.random() >= p))
            labels.append(label)
    model = make_pipeline(
        CountVectorizer(token_pattern=r"\S+", binary=True),
        LogisticRegression(max_iter=300, class_weight="balanced"),
    )
    model.fit(texts, labels)
    joblib.dump(model, model_path)
    print(f"{len(texts)} copies, {len(model[0].vocabulary_)} words: {model_path}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
