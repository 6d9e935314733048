"""Connects with one client and asks what it asks of a schema: `look.py port client`."""

import asyncio
import sys

PORT, CLIENT = sys.argv[1:]
DSN = f"host=127.0.0.1 port={PORT} user=me dbname=main"


def psycopg():
    import psycopg
    from psycopg.types import TypeInfo
    from psycopg.types.enum import EnumInfo

    with psycopg.connect(DSN) as connection:
        EnumInfo.fetch(connection, "shop.mood")
        TypeInfo.fetch(connection, "numeric")
        TypeInfo.fetch(connection, "hstore")
        connection.execute("SELECT id, tags FROM shop.users WHERE id = %s AND name = %s", (1, "x")).fetchall()
    return psycopg.__version__


def psycopg2():
    import psycopg2
    import psycopg2.extras

    connection = psycopg2.connect(DSN)
    connection.set_session(isolation_level="REPEATABLE READ")
    connection.cursor().execute("SELECT id, tags FROM shop.users WHERE id = %s", (1,))
    psycopg2.extras.HstoreAdapter.get_oids(connection)
    connection.commit()
    connection.close()
    return psycopg2.__version__


def asyncpg():
    import asyncpg

    async def look():
        connection = await asyncpg.connect(host="127.0.0.1", port=int(PORT), user="me", database="main")
        await connection.fetch("SELECT mood, tags FROM shop.users WHERE mood = $1", "ok")
        await connection.fetch("SELECT ARRAY['ok'::shop.mood]")
        await connection.reset()
        await connection.close()

    asyncio.run(look())
    return asyncpg.__version__


def sqlalchemy():
    import sqlalchemy

    engine = sqlalchemy.create_engine(f"postgresql+psycopg2://me@127.0.0.1:{PORT}/main")
    seen = sqlalchemy.inspect(engine)
    seen.get_schema_names()
    seen.get_sequence_names()
    seen.get_enums("*")
    metadata = sqlalchemy.MetaData()
    metadata.reflect(engine, views=True)
    for table, schema in (("items", None), ("users", "shop")):
        seen.get_check_constraints(table, schema)
        seen.get_unique_constraints(table, schema)
        seen.get_table_comment(table, schema)
    seen.get_view_definition("active_items")
    engine.dispose()
    return sqlalchemy.__version__


def pgcli():
    import pgcli
    from pgcli.completion_refresher import CompletionRefresher
    from pgcli.pgexecute import PGExecute

    executor = PGExecute("main", "me", "", "127.0.0.1", PORT, None)
    refresher = CompletionRefresher()
    done = []
    refresher.refresh(executor, None, lambda completer: done.append(completer), settings={})
    refresher._completer_thread.join()
    return pgcli.__version__


print({"psycopg": psycopg, "psycopg2": psycopg2, "asyncpg": asyncpg, "sqlalchemy": sqlalchemy, "pgcli": pgcli}[CLIENT]())
