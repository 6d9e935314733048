from django.contrib.postgres.fields import ArrayField, IntegerRangeField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models


class Author(models.Model):
    name = models.CharField(max_length=50, unique=True, db_index=True)
    meta = models.JSONField(default=dict)
    tags = ArrayField(models.CharField(max_length=20), default=list)
    born = models.DateField(null=True)
    seen = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            GinIndex(fields=["tags"], name="by_tags"),
            models.Index(fields=["-born"], name="by_birth", condition=models.Q(born__isnull=False)),
        ]
        constraints = [models.CheckConstraint(check=models.Q(name__gt=""), name="named")]


class Book(models.Model):
    title = models.CharField(max_length=100)
    author = models.ForeignKey(Author, on_delete=models.CASCADE, related_name="books")
    price = models.DecimalField(max_digits=8, decimal_places=2)
    pages = IntegerRangeField(null=True)
    lasts = models.DurationField(null=True)
    key = models.UUIDField(null=True)
    cover = models.BinaryField(null=True)
    address = models.GenericIPAddressField(null=True)
    readers = models.ManyToManyField(Author, related_name="reads")
    words = SearchVectorField(null=True)

    class Meta:
        unique_together = [("title", "author")]
