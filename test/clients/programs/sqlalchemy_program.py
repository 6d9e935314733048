import asyncio
import decimal
import uuid

import sqlalchemy
from sqlalchemy import (
    BigInteger, CheckConstraint, Column, DateTime, Enum, ForeignKey, Identity, Index, Integer, MetaData, Numeric, String, Text, create_engine, func,
    inspect, select, text,
)  # fmt: skip
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, UUID, insert
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.orm import Session, declarative_base, joinedload, relationship, selectinload

from checks import PORT, check, done, same

URL = f"me@127.0.0.1:{PORT}/main"
engine = create_engine(f"postgresql+psycopg2://{URL}")
Base = declarative_base()


class User(Base):
    __tablename__ = "users"
    id = Column(Integer, primary_key=True)
    name = Column(String(30), unique=True, nullable=False, comment="as spoken")
    tags = Column(ARRAY(Text))
    data = Column(JSONB)
    kind = Column(Enum("a", "b", name="kind"))
    at = Column(DateTime(timezone=True), server_default=func.now())
    amount = Column(Numeric(10, 2))
    key = Column(UUID(as_uuid=True))
    addresses = relationship("Address", back_populates="user", cascade="all, delete-orphan", order_by="Address.id")


class Address(Base):
    __tablename__ = "addresses"
    id = Column(BigInteger, Identity(), primary_key=True)
    user_id = Column(ForeignKey("users.id", ondelete="CASCADE"), nullable=False)
    mail = Column(Text)
    user = relationship("User", back_populates="addresses")
    __table_args__ = (Index("by_mail", "mail", postgresql_where=text("mail <> ''")), CheckConstraint("length(mail) < 90", name="short"), {"comment": "where"})


@check("creates, again and again")
def _():
    Base.metadata.create_all(engine)
    Base.metadata.create_all(engine)
    Base.metadata.drop_all(engine)
    Base.metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(text("CREATE VIEW named AS SELECT id, name FROM users WHERE name <> ''"))


@check("reflects tables, columns, keys, indexes")
def _():
    seen = inspect(engine)
    same((sorted(seen.get_table_names()), seen.get_view_names(), seen.get_schema_names()), (["addresses", "users"], ["named"], ["information_schema", "public"]))
    same(
        [(each["name"], str(each["type"]), each["nullable"], each["default"]) for each in seen.get_columns("users")],
        [
            ("id", "INTEGER", False, "nextval('users_id_seq'::regclass)"),
            ("name", "VARCHAR(30)", False, None),
            ("tags", "ARRAY", True, None),
            ("data", "JSONB", True, None),
            ("kind", "VARCHAR(1)", True, None),
            ("at", "TIMESTAMP", True, "now()"),
            ("amount", "NUMERIC(10, 2)", True, None),
            ("key", "UUID", True, None),
        ],
    )
    same(seen.get_columns("users")[1]["comment"], "as spoken")
    same(seen.get_columns("addresses")[0]["identity"]["always"], False)
    same(seen.get_pk_constraint("users"), {"constrained_columns": ["id"], "name": "users_pkey"})
    (key,) = seen.get_foreign_keys("addresses")
    same((key["name"], key["constrained_columns"], key["referred_table"], key["options"]), ("addresses_user_id_fkey", ["user_id"], "users", {"ondelete": "CASCADE"}))
    (index,) = seen.get_indexes("addresses")
    same((index["name"], index["column_names"], index["dialect_options"]["postgresql_where"]), ("by_mail", ["mail"], "(mail <> ''::text)"))
    same([each["name"] for each in seen.get_unique_constraints("users")], ["users_name_key"])
    same(seen.get_check_constraints("addresses"), [{"name": "short", "sqltext": "length(mail) < 90"}])
    same(seen.get_table_comment("addresses"), {"text": "where"})
    same([(each["name"], each["labels"]) for each in seen.get_enums()], [("kind", ["a", "b"])])
    same(sorted(seen.get_sequence_names()), ["addresses_id_seq", "users_id_seq"])


@check("reflects the whole, and makes it again")
def _():
    metadata = MetaData()
    metadata.reflect(engine, views=True)
    same(sorted(metadata.tables), ["addresses", "named", "users"])
    with engine.begin() as connection:
        connection.execute(text("CREATE SCHEMA copied"))
        copied = MetaData(schema="copied")
        for name in ("users", "addresses"):
            metadata.tables[name].to_metadata(copied, schema="copied")
    same(sorted(copied.tables), ["copied.addresses", "copied.users"])


@check("saves and loads objects with what belongs to them")
def _():
    with Session(engine) as session:
        session.add_all(
            [
                User(
                    name="Ann", tags=["x", "y"], data={"a": [1]}, kind="a", amount=decimal.Decimal("1.50"), key=uuid.UUID(int=3),
                    addresses=[Address(mail="a@x"), Address(mail="b@x")],
                ),
                User(name="Bob"),
            ]
        )  # fmt: skip
        session.commit()
        ann = session.query(User).options(joinedload(User.addresses)).filter(User.name == "Ann").one()
        same((ann.tags, ann.data, ann.kind, ann.amount, ann.key), (["x", "y"], {"a": [1]}, "a", decimal.Decimal("1.50"), uuid.UUID(int=3)))
        same([each.mail for each in ann.addresses], ["a@x", "b@x"])
        users = session.execute(select(User).options(selectinload(User.addresses)).order_by(User.id)).scalars().all()
        same([len(each.addresses) for each in users], [2, 0])


@check("queries")
def _():
    with Session(engine) as session:
        counted = session.query(User.name, func.count(Address.id)).outerjoin(Address).group_by(User.name).order_by(User.name).all()
        same([tuple(each) for each in counted], [("Ann", 2), ("Bob", 0)])
        same(session.query(User).filter(User.tags.contains(["x"]), User.data["a"][0].astext == "1").count(), 1)
        ranked = session.query(User.name, func.row_number().over(order_by=User.name.desc())).order_by(User.name).all()
        same([tuple(each) for each in ranked], [("Ann", 2), ("Bob", 1)])
        common = session.query(User).filter(User.name.like("A%")).cte("common")
        same(session.query(common.c.name).scalar(), "Ann")
        upsert = insert(User).values(name="Ann", kind="b").on_conflict_do_update(index_elements=["name"], set_={"kind": "b"}).returning(User.kind)
        same(session.execute(upsert).scalar(), "b")
        session.commit()


@check("transactions, locks, deletes, errors")
def _():
    with Session(engine) as session:
        with session.begin_nested() as nested:
            session.add(User(name="Cy"))
            session.flush()
            nested.rollback()
        session.query(User).filter_by(name="Bob").with_for_update().one().name = "Rob"
        session.commit()
        session.delete(session.query(User).filter_by(name="Ann").one())
        session.commit()
        same((session.query(Address).count(), session.query(User).count()), (0, 1))
        session.add(User(name="Rob"))
        try:
            session.commit()
            raise AssertionError("saved")
        except sqlalchemy.exc.IntegrityError:
            session.rollback()


@check("streams, levels of isolation")
def _():
    with engine.connect().execution_options(stream_results=True, max_row_buffer=100) as connection:
        same(len(connection.execute(text("SELECT generate_series(1, 1000)")).fetchall()), 1000)
    with engine.connect() as connection:
        same(connection.get_isolation_level(), "READ COMMITTED")
        connection.execution_options(isolation_level="SERIALIZABLE")
        same(connection.get_isolation_level(), "SERIALIZABLE")


@check("asynchronous, by asyncpg")
def _():
    async def go():
        other = create_async_engine(f"postgresql+asyncpg://{URL}")
        async with other.connect() as connection:
            same((await connection.execute(select(User.name))).scalars().all(), ["Rob"])
            same(await connection.run_sync(lambda each: sorted(inspect(each).get_table_names())), ["addresses", "users"])
        await other.dispose()

    asyncio.run(go())


engine.dispose()
done()
