"""The bus: by class, in order, from any thread, whatever a subscriber does."""

import threading
from dataclasses import dataclass

from memlens.engine.bus import EventBus


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Special(Base):
    pass


def test_subscribers_get_a_class_and_those_below_in_order_of_subscription() -> None:
    bus, seen = EventBus(), list[str]()
    bus.subscribe(Special, lambda _: seen.append("special"))
    bus.subscribe(Base, lambda _: seen.append("base"))
    bus.subscribe(object, lambda _: seen.append("all"))
    bus.publish(Special())
    bus.publish(Base())
    bus.publish("text")
    assert seen == ["special", "base", "all", "base", "all", "all"]


def test_closing_ends_delivery_even_from_within() -> None:
    bus, seen = EventBus(), list[int]()

    def once(message: Base) -> None:
        seen.append(message.number)
        subscription.close()
        subscription.close()

    subscription = bus.subscribe(Base, once)
    bus.publish(Base(number=1))
    bus.publish(Base(number=2))
    assert seen == [1]
    with bus.subscribe(Base, lambda message: seen.append(message.number)):
        bus.publish(Base(number=3))
    bus.publish(Base(number=4))
    assert seen == [1, 3]


def test_nested_messages_wait_so_that_all_see_one_order() -> None:
    bus, first, second = EventBus(), list[int](), list[int]()

    def answer(message: Base) -> None:
        first.append(message.number)
        if message.number < 3:
            bus.publish(Base(number=message.number + 1))

    bus.subscribe(Base, answer)
    bus.subscribe(Base, lambda message: second.append(message.number))
    bus.publish(Base(number=1))
    assert first == second == [1, 2, 3]


def test_a_failing_subscriber_is_reported_and_stops_nobody() -> None:
    reports, seen = list[tuple[object, str]](), list[int]()
    bus = EventBus(report=lambda message, error: reports.append((message, str(error))))

    def fail(_: Base) -> None:
        raise ValueError("broken")

    bus.subscribe(Base, fail)
    bus.subscribe(Base, lambda message: seen.append(message.number))
    bus.publish(Base(number=7))
    bus.publish(Base(number=8))
    assert seen == [7, 8]
    assert reports == [(Base(number=7), "broken"), (Base(number=8), "broken")]


def test_many_threads_publish_and_subscribe_at_once() -> None:
    bus, lock, total = EventBus(), threading.Lock(), [0]

    def count(message: Base) -> None:
        with lock:
            total[0] += message.number

    bus.subscribe(Base, count)

    def work() -> None:
        for _ in range(500):
            with bus.subscribe(Special, lambda _: None):
                bus.publish(Base(number=1))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert total == [4000]
