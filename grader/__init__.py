"""Grades answers to three exercises on scaled dot-product attention."""

__version__ = "0.1.0"
