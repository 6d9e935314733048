"""Checks as lines of `ok name` and `not ok name: why`, then how many there were. Each program is called with the server's port."""

import sys

PORT = int(sys.argv[1])
DSN = f"host=127.0.0.1 port={PORT} user=me dbname=main"
_count = 0


def check(name):
    def run(body):
        global _count
        _count += 1
        try:
            body()
            print(f"ok {name}")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            print(f"not ok {name}: {error!r}"[:600])
        return body

    return run


def same(given, wanted):
    assert given == wanted, f"{given!r} is not {wanted!r}"


def done():
    print(f"1..{_count}")
