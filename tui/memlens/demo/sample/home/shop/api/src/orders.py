"""Orders: from basket to settled."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Order:
    number: int
    cents: int


def total(orders: list[Order]) -> int:
    return sum(order.cents for order in orders)
