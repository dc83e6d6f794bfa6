"""Exercise 2: multi-head attention with the scale of one head."""
