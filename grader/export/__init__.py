"""Handing results over to other systems, from reports alone."""
