"""The answer key holds all that the grader knows about right answers, as plain data, before student code runs.

    solutions + exercises + seed  ->  inputs, right answers, tolerances, what each known mistake gives

`answer_key` says what it is, `building` builds it from the solutions, `catalogue_check` refuses a known mistake of
which one half is missing, `frozen` makes the key a file and reads one, `checking` keeps the file of the public seed in
step, `label` tells which key a file holds.
"""
