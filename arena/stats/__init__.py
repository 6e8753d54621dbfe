"""Statistics of boards: what a number of games says about who plays better, and how surely.

Pure arithmetic: results in, estimates out. Start at `scores` (what one game brought), `tables` and
`pairs` (what is known after whole boards), `sprt` and `stopping` (when it is enough), `crosstable`
(who beat whom in a league). README.md beside this file says what is computed, and why.
"""
