"""What the grader's half of the sandbox and the child's half both use: the wire, the smooth functions, system calls."""
