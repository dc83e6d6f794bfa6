"""Parts that both halves of the sandbox use: the wire, how a call is made, the smooth functions, system calls."""
