# any: SIGKILL ends all threads
import threading


def spin():
    while True:
        pass


def solve(a):
    for i in range(8):
        threading.Thread(target=spin, daemon=(i % 2 == 0)).start()
    return a * 0
