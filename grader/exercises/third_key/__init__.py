"""Exercise 1: a third key identical to the query."""
