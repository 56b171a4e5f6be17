# The picture of the README: gnuplot docs/images/certified.gp > docs/images/certified.svg
# Figures: docs/results/universal.md (500 reviews), docs/results/votes.md (25,000 reviews).
set terminal svg size 900,380 font "sans,13" background "#ffffff"
$smoothed90 << END
0 79.8
1 69.8
2 56.8
3 43.4
4 28.8
5 16.2
6 4.8
7 0
END
$smoothed95 << END
0 76.0
1 69.8
2 61.8
3 53.2
4 44.8
5 36.6
6 29.0
8 16.4
10 5.8
12 0
END
$votes1 << END
0 86.3
1 82.0
2 77.0
3 71.1
4 64.5
5 58.0
6 51.4
7 44.9
8 38.9
9 33.5
10 28.7
12 21.0
14 15.1
16 11.2
18 8.4
20 6.3
END
$votes25 << END
0 84.6
1 81.3
2 77.4
3 73.1
4 68.1
5 62.7
6 57.5
7 52.3
8 47.3
9 42.4
10 37.9
12 29.7
14 23.2
16 18.0
18 14.0
20 11.1
END
set xlabel "words inserted, deleted or replaced, in any mixture (and any reordering)"
set ylabel "right and certified, % of reviews"
set xrange [0:20]
set yrange [0:100]
set grid lc rgb "#dddddd"
set key top right
plot $votes1 with linespoints lw 2 pt 7 ps 0.5 lc rgb "#1b9e77" title "votes, trained for 1 edit: exact", \
     $votes25 with linespoints lw 2 pt 7 ps 0.5 lc rgb "#7570b3" title "votes, trained for 2.5 edits: exact", \
     $smoothed90 with linespoints lw 2 pt 5 ps 0.5 lc rgb "#d95f02" title "BiLSTM, universal:p=0.9: sampled", \
     $smoothed95 with linespoints lw 2 pt 5 ps 0.5 lc rgb "#e7298a" title "BiLSTM, universal:p=0.95: sampled"
