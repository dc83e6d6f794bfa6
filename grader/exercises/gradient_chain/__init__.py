"""Exercise 3: the gradient of attention with respect to Q, as a chain, and by finite differences."""
