"""Grading a class: many submissions, several processes, one file of truth for each report."""
