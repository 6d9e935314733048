"""Makes the tables of an application, works with them, and says what came out."""
import datetime
import decimal
import os
import uuid

import django
from django.core.management import call_command

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
django.setup()

from django.contrib.postgres.aggregates import ArrayAgg, StringAgg
from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db import IntegrityError, transaction
from django.db.models import Avg, Count, Exists, F, OuterRef, StdDev, Subquery, Sum, Window
from django.db.models.functions import ExtractYear, Rank, TruncMonth
from psycopg2.extras import NumericRange
from shop.models import Author, Book

call_command("migrate", run_syncdb=True, verbosity=0)
call_command("migrate", run_syncdb=True, verbosity=1)

ann = Author.objects.create(name="Ann", meta={"a": {"b": [1, 2, {"c": 3}]}}, tags=["x", "y"], born=datetime.date(1980, 1, 2))
bob = Author.objects.create(name="Bob", tags=["y", "z"])
Book.objects.bulk_create(
    Book(
        title=f"Book {i}", author=ann if i % 2 else bob, price=decimal.Decimal(i) / 4, pages=NumericRange(i, i + 10),
        lasts=datetime.timedelta(hours=i), key=uuid.UUID(int=i), cover=b"\x00\xff", address="10.0.0.1",
    )
    for i in range(20)
)  # fmt: skip
books = list(Book.objects.order_by("id"))
for book in books:
    book.price += 1
Book.objects.bulk_update(books, ["price"])
Book.objects.bulk_create([Book(id=books[0].id, title="again", author=ann, price=1)], ignore_conflicts=True)
books[0].readers.add(ann, bob)

print("values", Book.objects.values_list("pages", "lasts", "key", "address", "price").get(title="Book 3"))
print("json", [Author.objects.filter(**{each: value}).count() for each, value in (("meta__a__b__2__c", 3), ("meta__has_key", "a"), ("meta__a__contains", {"b": [2]}))])
print("arrays", [Author.objects.filter(**{each: value}).count() for each, value in (("tags__contains", ["y"]), ("tags__overlap", ["x"]), ("tags__len", 2), ("tags__1", "y"))])
print("ranges", [Book.objects.filter(**{each: value}).count() for each, value in (("pages__contains", 5), ("pages__overlap", NumericRange(3, 4)), ("pages__startswith__gt", 10))])
print("durations", Book.objects.filter(lasts__gt=datetime.timedelta(hours=5)).count())
totals = Author.objects.annotate(n=Count("books"), total=Sum("books__price"), all=ArrayAgg("books__id", ordering="books__id"))
print("groups", [(each.name, each.n, each.total, len(each.all)) for each in totals.order_by("name")])
ranked = Book.objects.annotate(place=Window(Rank(), partition_by=F("author"), order_by=F("price").desc()))
print("windows", list(ranked.values_list("title", "place").order_by("place", "title")[:4]))
print("dates", list(Book.objects.annotate(month=TruncMonth("author__born"), year=ExtractYear("author__born")).values("month", "year").annotate(n=Count("*")).order_by("year")))
print("search", list(Book.objects.annotate(found=SearchVector("title")).filter(found=SearchQuery("books")).order_by("id").values_list("title", flat=True)[:2]))
print("exists", Author.objects.filter(Exists(Book.objects.filter(author=OuterRef("pk"), price__gt=5))).count())
dearest = Subquery(Book.objects.filter(author=OuterRef("pk")).order_by("-price").values("title")[:1])
print("subqueries", list(Author.objects.annotate(dearest=dearest).order_by("name").values_list("name", "dearest")))
try:
    with transaction.atomic():
        Author.objects.create(name="Ann")
except IntegrityError as error:
    print("refused", error.__cause__.pgcode, error.__cause__.diag.constraint_name.startswith("shop_author_name"))
with transaction.atomic():
    found = Author.objects.select_for_update(skip_locked=True).get(name="Ann")
    savepoint = transaction.savepoint()
    found.delete()
    transaction.savepoint_rollback(savepoint)
print("upserts", Author.objects.count(), Author.objects.update_or_create(name="Cy", defaults={"born": datetime.date(2000, 1, 1)})[1], Author.objects.get_or_create(name="Cy")[1])
print("aggregates", Book.objects.aggregate(a=Avg("price"), s=StdDev("price"), t=StringAgg("title", ",", ordering="id")))
print("unions", Book.objects.values("author__name").union(Author.objects.values("name")).count())
print("raw", [each.title for each in Book.objects.raw("SELECT * FROM shop_book WHERE price > %s ORDER BY id", [5])][:2])
print("patterns", Book.objects.filter(title__iregex=r"^book 1\d$").count(), Book.objects.filter(title__icontains="K 1").count(), Book.objects.filter(title__search="book").count())
print("pieces", sum(1 for _ in Book.objects.order_by("id").iterator(chunk_size=3)))
Author.objects.get(name="Ann").delete()
print("cascades", Book.objects.count())
call_command("inspectdb", "shop_author", "shop_book", "shop_book_readers")
call_command("flush", interactive=False, verbosity=0)
print("flushed", Author.objects.count(), Author.objects.create(name="New").pk)
