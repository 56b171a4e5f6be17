#!/bin/sh
# A rule as a black box: "spam" for a text with one of these words, else "ham". sed -u (GNU) reads and
# writes line by line; what else is in a line of input than the text, its id, is none of the words.
exec sed -u -E 's/.*"text":"(.* )?(free|win|won|winner|prize|cash|claim|urgent|txt)( .*)?"}$/spam/; t; s/.*/ham/'
