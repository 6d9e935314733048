import io
import uuid

import psycopg2
import psycopg2.extensions
import psycopg2.extras

from checks import DSN, check, done, same

connection = psycopg2.connect(DSN)
cursor = connection.cursor(cursor_factory=psycopg2.extras.DictCursor)


@check("types")
def _():
    psycopg2.extras.register_uuid()
    cursor.execute("CREATE TABLE pt (a int PRIMARY KEY, b text, c numeric, d uuid, e jsonb, f text[], g bytea)")
    cursor.execute(
        "INSERT INTO pt VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING *",
        (1, "it's", "1.50", uuid.UUID(int=5), psycopg2.extras.Json({"a": [1]}), ["x", None, 'y"z'], psycopg2.Binary(b"\x00\xff")),
    )
    row = cursor.fetchone()
    same((row["a"], row["b"], str(row["c"]), row["d"], row["e"], row["f"], bytes(row["g"])), (1, "it's", "1.50", uuid.UUID(int=5), {"a": [1]}, ["x", None, 'y"z'], b"\x00\xff"))
    connection.commit()


@check("many values")
def _():
    psycopg2.extras.execute_values(cursor, "INSERT INTO pt (a, b) VALUES %s", [(i, "v") for i in range(10, 110)])
    psycopg2.extras.execute_batch(cursor, "UPDATE pt SET b = %s WHERE a = %s", [("w", i) for i in range(10, 20)])
    cursor.execute("SELECT count(*) FROM pt WHERE b = 'w'")
    same(cursor.fetchone()[0], 10)
    connection.commit()


@check("COPY both ways")
def _():
    cursor.copy_from(io.StringIO("2000\tz\n2001\t\\N\n"), "pt", columns=("a", "b"))
    out = io.StringIO()
    cursor.copy_expert("COPY (SELECT a, b FROM pt WHERE a >= 2000 ORDER BY a) TO STDOUT CSV", out)
    same(out.getvalue(), "2000,z\n2001,\n")
    connection.commit()


@check("named cursors")
def _():
    named = connection.cursor("named", withhold=True)
    named.itersize = 7
    named.execute("SELECT a FROM pt ORDER BY a")
    connection.commit()
    same(len(list(named)), 103)
    named.close()
    connection.commit()


@check("errors")
def _():
    try:
        cursor.execute("INSERT INTO pt (a) VALUES (1)")
        raise AssertionError("inserted")
    except psycopg2.errors.UniqueViolation as error:
        same((error.pgcode, error.diag.constraint_name), ("23505", "pt_pkey"))
    connection.rollback()


@check("isolation levels, read only, autocommit")
def _():
    connection.set_session(isolation_level="SERIALIZABLE", readonly=True)
    try:
        cursor.execute("DELETE FROM pt")
        raise AssertionError("deleted")
    except psycopg2.errors.ReadOnlySqlTransaction:
        connection.rollback()
    connection.set_session(isolation_level="DEFAULT", readonly=False, autocommit=True)
    same(psycopg2.extras.HstoreAdapter.get_oids(connection), ((), ()))


@check("large objects")
def _():
    connection.set_session(autocommit=False)
    made = connection.lobject(0, "wb")
    made.write(b"hello \x00world" * 1000)
    made.seek(6)
    made.write(b"X")
    made.close()
    connection.commit()
    read = connection.lobject(made.oid, "rb")
    same((read.read(14), read.tell(), read.seek(0, 2)), (b"hello Xworldhe", 14, 12000))
    read.close()
    connection.lobject(made.oid, "wb").truncate(5)
    same(connection.lobject(made.oid, "rb").read(), b"hello")
    connection.rollback()
    connection.lobject(made.oid, "n").unlink()
    connection.commit()
    try:
        connection.lobject(made.oid)
        raise AssertionError("is there")
    except psycopg2.OperationalError as error:
        assert "does not exist" in str(error)
    connection.rollback()
    connection.set_session(autocommit=True)


@check("notifications")
def _():
    cursor.execute("LISTEN news")
    cursor.execute("NOTIFY news, 'hello'")
    connection.poll()
    same([each.payload for each in connection.notifies], ["hello"])


done()
