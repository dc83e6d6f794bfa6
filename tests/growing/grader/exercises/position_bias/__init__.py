"""Exercise 4: distant keys count less."""
