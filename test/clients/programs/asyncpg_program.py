import asyncio
import datetime
import decimal
import io
import json
import uuid

import asyncpg

from checks import PORT, check, done, same

OPTIONS = {"host": "127.0.0.1", "port": PORT, "user": "me", "database": "main"}
loop = asyncio.new_event_loop()
connection = loop.run_until_complete(asyncpg.connect(**OPTIONS))


def wait(body):
    return lambda: loop.run_until_complete(body())


@check("types, all binary")
@wait
async def _():
    await connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
    await connection.execute(
        "CREATE TABLE pt (a int PRIMARY KEY, b text, c timestamptz, d numeric, e uuid, f jsonb, g int[], h bytea, i interval, j mood, k mood[])"
    )
    given = [
        1, "x", datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc), decimal.Decimal("1.50"), uuid.UUID(int=5), '{"a": 1}',
        [1, None, 2], b"\x00\xff", datetime.timedelta(days=1, seconds=3), "ok", ["sad", "ok"],
    ]  # fmt: skip
    await connection.execute("INSERT INTO pt VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)", *given)
    same(list((await connection.fetchrow("SELECT * FROM pt WHERE a = $1", 1)).values()), given)


@check("executemany and COPY")
@wait
async def _():
    await connection.executemany("INSERT INTO pt (a, b) VALUES ($1, $2)", [(i, "m") for i in range(10, 110)])
    same(await connection.copy_records_to_table("pt", records=[(1000 + i, "c") for i in range(10)], columns=["a", "b"]), "COPY 10")
    out = io.BytesIO()
    same(await connection.copy_from_query("SELECT a, b FROM pt WHERE a >= $1 ORDER BY a LIMIT 2", 1000, output=out, format="csv"), "COPY 2")
    same(out.getvalue(), b"1000,c\n1001,c\n")


@check("cursors within transactions")
@wait
async def _():
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        count = 0
        async for _ in connection.cursor("SELECT a FROM pt ORDER BY a", prefetch=7):
            count += 1
        cursor = await connection.cursor("SELECT a FROM pt ORDER BY a")
        await cursor.forward(3)
        same((count, [row["a"] for row in await cursor.fetch(2)]), (111, [12, 13]))


@check("prepared statements tell of their types")
@wait
async def _():
    statement = await connection.prepare("SELECT $1::int[] || 5 AS a, $2::mood AS b")
    same([each.name for each in statement.get_parameters()], ["int4[]", "mood"])
    same([(each.name, each.type.name) for each in statement.get_attributes()], [("a", "int4[]"), ("b", "mood")])
    same([tuple(row) for row in await statement.fetch([1], "ok")], [([1, 5], "ok")])


@check("codecs of its own")
@wait
async def _():
    await connection.set_type_codec("jsonb", encoder=json.dumps, decoder=json.loads, schema="pg_catalog")
    same(await connection.fetchval("SELECT f FROM pt WHERE f = $1", {"a": 1}), {"a": 1})
    await connection.reset_type_codec("jsonb", schema="pg_catalog")


@check("errors and savepoints")
@wait
async def _():
    async with connection.transaction():
        try:
            async with connection.transaction():
                await connection.execute("INSERT INTO pt (a) VALUES (1)")
            raise AssertionError("inserted")
        except asyncpg.UniqueViolationError as error:
            same((error.constraint_name, error.sqlstate), ("pt_pkey", "23505"))
        same(await connection.fetchval("SELECT 1"), 1)


@check("notifications, reset")
@wait
async def _():
    got = []
    await connection.add_listener("news", lambda *args: got.append(args[3]))
    await connection.execute("NOTIFY news, 'hello'")
    await connection.fetchval("SELECT 1")
    await asyncio.sleep(0.05)
    same(got, ["hello"])
    await connection.reset()


@check("timeouts cancel")
@wait
async def _():
    try:
        await connection.fetchval("SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 1000) b", timeout=0.3)
        raise AssertionError("counted")
    except asyncio.TimeoutError:
        pass
    same(await connection.fetchval("SELECT 1"), 1)


@check("pools")
@wait
async def _():
    async with asyncpg.create_pool(**OPTIONS, min_size=2, max_size=4) as pool:
        same(sum(await asyncio.gather(*[pool.fetchval("SELECT $1::int", i) for i in range(50)])), 1225)


loop.run_until_complete(connection.close())
done()
