"""Many at once: they come, stay, and go together."""
from attack import attack
from field import frame, hello

EVERYTHING = frame("events.subscribe", 1, topics=["*"], snapshot=False)


def watchers(field, count, subscriptions):
    """Each has had the replies to its hello and its subscriptions."""
    return field.crowd(count, hello() + EVERYTHING * subscriptions, 1 + subscriptions)


@attack("300 clients with 16 subscriptions to everything leave at once", quick=True)
def few_with_many(field):
    watchers(field, 300, 16).close()


@attack("8,000 clients with one subscription leave at once")
def many_with_one(field):
    watchers(field, 8_000, 1).close()


@attack("1,000 clients with 16 subscriptions leave at once")
def many_with_many(field):
    watchers(field, 1_000, 16).close()


@attack("2,000 clients come and say nothing")
def silent(field):
    crowd = field.crowd(2_000)
    field.until(lambda: field.broker.descriptors() > 2_000, "all are accepted")
    crowd.close()


@attack("20,000 clients come and go at once")
def storm(field):
    for _ in range(100):
        field.crowd(200).close()
