import datetime
import decimal
import uuid

import psycopg
from psycopg.types import TypeInfo
from psycopg.types.composite import CompositeInfo, register_composite
from psycopg.types.enum import EnumInfo
from psycopg.types.json import Jsonb
from psycopg.types.multirange import MultirangeInfo
from psycopg.types.range import Range, RangeInfo, register_range

from checks import DSN, check, done, same

ROW = (
    1, "x", datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc), decimal.Decimal("1.50"), uuid.UUID(int=5), Jsonb({"a": 1}),
    [1, 2], b"\x00\xff", datetime.timedelta(days=1, seconds=3), datetime.date(2020, 1, 2), datetime.time(1, 2, 3), True, 1.5,
)  # fmt: skip
BACK = [*ROW[:5], {"a": 1}, *ROW[6:]]
connection = psycopg.connect(DSN, autocommit=True)
connection.execute("SET TimeZone = 'UTC'")


@check("types, as texts and binary")
def _():
    connection.execute(
        "CREATE TABLE pt (a int PRIMARY KEY, b text, c timestamptz, d numeric, e uuid, f jsonb, g int[], h bytea, i interval, j date, k time, l bool, m float8)"
    )
    connection.execute(f"INSERT INTO pt VALUES ({','.join(['%s'] * 13)})", ROW)
    for binary in (False, True):
        same(list(connection.cursor(binary=binary).execute("SELECT * FROM pt").fetchone()), BACK)
    connection.execute(f"INSERT INTO pt SELECT {','.join(['%b'] * 13)}", (2, *ROW[1:]))
    same(connection.execute("SELECT count(*) FROM pt WHERE h = %b", (b"\x00\xff",)).fetchone(), (2,))


@check("executemany, and returning")
def _():
    cursor = connection.cursor()
    cursor.executemany("INSERT INTO pt (a, b) VALUES (%s, %s)", [(i, str(i)) for i in range(3, 50)])
    same(cursor.rowcount, 47)
    cursor.executemany("UPDATE pt SET b = %s WHERE a = %s RETURNING a", [("y", 3), ("z", 4)], returning=True)
    same(cursor.fetchone(), (3,))
    assert cursor.nextset()
    same(cursor.fetchone(), (4,))


@check("COPY both ways")
def _():
    cursor = connection.cursor()
    with cursor.copy("COPY pt (a, b) FROM STDIN") as copy:
        for i in range(100, 200):
            copy.write_row((i, f"r\t{i}"))
    with cursor.copy("COPY pt (a, b) FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(["int4", "text"])
        for i in range(200, 300):
            copy.write_row((i, None))
    with cursor.copy("COPY (SELECT a, b FROM pt WHERE a IN (100, 200) ORDER BY a) TO STDOUT (FORMAT BINARY)") as copy:
        copy.set_types(["int4", "text"])
        same(list(copy.rows()), [(100, "r\t100"), (200, None)])


@check("server-side cursors, scrolling")
def _():
    with connection.transaction():
        with connection.cursor(name="one") as cursor:
            cursor.itersize = 10
            cursor.execute("SELECT a FROM pt ORDER BY a")
            same(cursor.description[0].name, "a")
            same(len(list(cursor)), 249)
        with connection.cursor(name="two", scrollable=True) as cursor:
            cursor.execute("SELECT a FROM pt WHERE a > %s ORDER BY a", (0,))
            cursor.scroll(5)
            same(cursor.fetchone(), (6,))
            cursor.scroll(-2)
            same(cursor.fetchone(), (5,))


@check("transactions within transactions")
def _():
    with connection.transaction():
        connection.execute("DELETE FROM pt WHERE a = 1")
        try:
            with connection.transaction():
                connection.execute("INSERT INTO pt (a) VALUES (2)")
        except psycopg.errors.UniqueViolation as error:
            same((error.diag.constraint_name, error.diag.table_name, error.sqlstate), ("pt_pkey", "pt", "23505"))
    same(connection.execute("SELECT count(*) FROM pt WHERE a < 3").fetchone(), (1,))


@check("pipelines")
def _():
    with connection.pipeline():
        cursors = [connection.execute("SELECT %s::int", (i,)) for i in range(50)]
    same(sum(cursor.fetchone()[0] for cursor in cursors), 1225)


@check("statements prepared by themselves")
def _():
    for i in range(20):
        same(connection.execute("SELECT a FROM pt WHERE a = %s", (i + 2,)).fetchone(), (i + 2,))
    same(connection.execute("SELECT count(*) > 0 FROM pg_prepared_statements").fetchone(), (True,))
    connection.execute("ALTER TABLE pt ALTER COLUMN a TYPE int8")


@check("types looked up")
def _():
    connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
    info = EnumInfo.fetch(connection, "mood")
    psycopg.types.enum.register_enum(info, connection)
    same([label.name for label in connection.execute("SELECT 'ok'::mood, 'sad'::mood").fetchone()], ["ok", "sad"])
    same((TypeInfo.fetch(connection, "numeric").oid, TypeInfo.fetch(connection, "nothing")), (1700, None))


@check("ranges and rows as types")
def _():
    connection.execute("CREATE TYPE span AS RANGE (subtype = float8)")
    info = RangeInfo.fetch(connection, "span")
    same(info.subtype_oid, 701)
    register_range(info, connection)
    for binary in (False, True):
        cursor = connection.cursor(binary=binary)
        same(cursor.execute("SELECT span(1.5, 2.5), %s::span", (Range(1.0, None, "[)"),)).fetchone(), (Range(1.5, 2.5, "[)"), Range(1.0, None, "[)")))
    same(MultirangeInfo.fetch(connection, "int4multirange").range_oid, 3904)
    connection.execute("CREATE TABLE place (id int, name text)")
    info = CompositeInfo.fetch(connection, "place")
    same(tuple(info.field_names), ("id", "name"))
    register_composite(info, connection)
    for binary in (False, True):
        row = connection.cursor(binary=binary).execute("SELECT ROW(1, 'x')::place, %s::place", (info.python_type(2, "y"),)).fetchone()
        same([(each.id, each.name) for each in row], [(1, "x"), (2, "y")])


@check("notifications")
def _():
    connection.execute("LISTEN news")
    with psycopg.connect(DSN, autocommit=True) as other:
        other.execute("SELECT pg_notify('news', 'hello')")
    same(next(connection.notifies()).payload, "hello")


@check("levels, read only")
def _():
    with psycopg.connect(DSN) as other:
        other.isolation_level = psycopg.IsolationLevel.SERIALIZABLE
        other.read_only = True
        try:
            other.execute("DELETE FROM pt")
            raise AssertionError("deleted")
        except psycopg.errors.ReadOnlySqlTransaction:
            other.rollback()


done()
