"""What runs in the student's process and nowhere else.

It is imported there under a private name, and imports nothing of the grader but `sandbox/shared`.
"""
