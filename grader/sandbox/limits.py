"""Every limit of the grader's half: how long it waits, how much it takes in, how often it tries; and why so much.

What a person may choose stands in `grader.calls.Limits`. Limits of frames, which both halves keep, stand in
`shared.wire`; those that a child puts on itself stand in `child`. Figures in milliseconds were taken on two virtual
processors. Nothing here imports NumPy.
"""

# Waiting for a child, in seconds.

# For the interpreter, NumPy and the confinement an idle machine needs 0.25, and eight graders that start at once 0.6
# each. Too short a wait would be a fault of the grader, so this is long enough for a machine that does much else.
HELLO = 30.0
START = 30.0  # the same for the fork server, which also makes its self-test
# The fork server answers within 1 ms, seldom 50. When it is silent for so long, it is replaced: student code under weak
# isolation can stop it. One that a machine stopped for some seconds goes on by itself.
PATIENCE = 10.0
# On top of the time for one call: how long a child may take to read what it is asked. 22 MiB take 0.3.
SENDING = 1.0
# A child that closes its connection is about to end. Killed at once, it would leave no exit status, and an `exit()` of
# the student could not be told from a lost connection. Ending takes 1 ms, and longer where much memory is given back.
GRACE = 0.3
# A child that is going down for good is waited for as long: on a busy machine, giving back a gigabyte takes its time.
DYING = 10.0
# How long the last words of a child that is gone may be on their way. They are there at once, or the connection is at
# its end, unless a process that the child started holds it open.
LINGER = 0.3
FAREWELL = 1.0  # the same before the hello, where the interpreter may still be writing why it cannot start
# How often a silent child's folder is measured. A shorter interval costs the graders beside it time (20,000 entries
# take 0.2 to measure), a longer one lets more be written beyond the limit.
WATCH = 0.2

# Counting the time of a child (see `clock`), in seconds.

# The most that a child is waited for, as a multiple of the time of its own that it has, and never less than so long.
# Four busy loops and eight graders on two processors leave each child a sixth of one.
CEILING, LEAST_CEILING = 10, 10.0
# A wait that is over so soon is taken from the clock. To ask for the processor time would cost a system call for each
# of the 260 calls of a submission.
MOMENT = 1e-3
SOON = 0.05  # the shortest time until a child that is late is looked at again: looking takes 0.1 ms
NOTHING = 0.001  # below this a time counts as used up: no child could even be forked in it
# A process sleeps if it used less than this share of a processor. One that computes has a twelfth of one where eight
# graders and four loops share a single processor.
IDLE = 0.05
MOST_THREADS = 64  # that are looked at: a child may have made thousands, and looking must not take the grader's time

# Answers of one function arrive some 0.1 ms apart. Waking this process for each of them costs both sides as much as the
# answer itself, so where more than `FEW` are expected they may gather: so many seconds for each, and at the most.
GATHER, GATHER_MOST, FEW = 60e-6, 4e-3, 2

# Ending a child: rounds of killing what is left below it, and the pause between two. A chain of 2,000 processes that
# start one another was gone after 48 ms; 0.4 s is the most that one child may cost the next.
ROUNDS, PAUSE = 200, 0.002

# Seconds of processor time that a child has beyond all the time that the grader waits for it: a second line behind the
# grader's clock, which ends a child whose grader was stopped.
SPARE_CPU = 5

# Trying again.

# Calls of one function that crash before the rest are given up. Each costs a fresh child (3 ms, spawned 250), and a
# function is asked up to forty times.
MAX_CRASHES = 3
# Tries of a call or a cell alone, after two losses that nobody can explain: the first in a fresh child, the others on a
# fresh engine (0.3 s each). And losses of one submission that were not its fault, each at another place.
ALONE = 3
MAX_DISTURBED = 20
# Times that a child, a fork server or its self-test is started for one submission. Somebody may kill the first, and the
# machine may have no memory for the second.
STARTS = 3
# Files or cells that hang or crash, before the whole program is given up: each may take the time limit for loading.
MAX_LEFT_OUT = 2
# Files that import one another, one within the other. The child reports each, and a forged report must not fill memory.
MAX_NESTED = 1000

# The output and the files of a child.

# MiB in its folder. A hundred times what NumPy files of an exercise take, and little enough for a `/tmp` in memory that
# several children share.
DISK = 256
FILE = 64  # MiB of one file, which the kernel enforces: no file outgrows the folder's limit between two looks
# Files and folders in it. Measuring so many takes 0.2 s, as long as the interval between two looks, and removing them
# about as long; without a limit a child made 80,000 in 7 s, which took 132 s to remove.
MAX_ENTRIES = 20_000
# Seconds for emptying a folder while the next submission waits; a server whose folder takes longer is replaced. And
# for removing it in the end: what is left after that lies in the temporary folder, named as ours.
CLEANING, LEAVING = 15.0, 60.0
ASIDE = 1.0  # the same for a folder that no submission waits for, before it is removed aside
DEEP = 7  # folders within one another that are entered by one path: eight names of 255 bytes are half of a path's limit
# Threads, with those of NumPy and of a pool. Without a limit a child started 8,000 in half a second, and a user who may
# have 2,000 processes could start no other one.
MAX_THREADS = 64
# Bytes of an emptied folder itself. One that held many files stays large on some file systems, and slow to list, which
# the next child would pay for.
MAX_EMPTY = 1 << 20
DRAINS = 64  # reads of what is left in the output when a child ends: more than the system holds for a socket

# Messages to a child.

CHUNK = 1 << 20  # bytes read or written at once
# Bytes of arguments in one message, unless a single function has more. All functions of the three exercises together
# are asked 0.14 MiB; a message that is larger is one array, and a child that cannot take it in must not lose others.
AT_ONCE = 1 << 20
MAX_FRAME = 24 << 20  # bytes of arguments in one frame: the child holds the frame and a copy of each array at once
PLAIN_WEIGHT = 1 << 10  # bytes that a plain item counts for in it, so that their number is bounded as well
ENVELOPE = 1 << 10  # bytes of a message beside the frame of calls that travels in it
MOST_KEPT = 64  # packed frames that an engine keeps for the next submission; a key has about twenty

# Messages from a child.

LARGE = 1 << 20  # bytes of a result that count as large
# Bytes of all large results of one submission: a child may send 48 MiB a hundred times. Further ones are not kept.
MOST_HELD = 128 << 20
MAX_TEXT = 600  # characters of one string about an error: a little more than the child itself cuts to
MAX_LIST = 20  # such strings in a list
MAX_NAME, MAX_WHY = 80, 200  # characters of a type's name, and of the reason why a value cannot be judged
MAX_SECONDS = 1e6  # that a call may be said to have taken; a child may say anything
LAST_WORDS = 2000  # characters at the end of the output in which libraries say that they ran out of memory
SHOWN_WORDS = 500  # characters of it in a message to an instructor

# Telling why a child was lost: it ran out of memory if it used this share of its limit at its peak. Resident memory
# stays below the limit, which is on address space.
NEARLY_FULL = 0.7
# One child of several took the machine's memory if it held this share of all that there is.
MOST_OF_ALL = 0.5
