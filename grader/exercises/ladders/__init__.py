"""The ladders: what each exercise asks of the functions, one file an exercise, under its stem.

No right answer is here but the derivatives of the smooth functions.
They need NumPy; what the exercises ask for (`grader/exercises/<stem>.py`) does not. `registry` holds them all, which
only who builds a key needs.
"""
