"""Payments: reserve first, settle later."""


def reserve(cents: int) -> str:
    if cents <= 0:
        raise ValueError("nothing to reserve")
    return f"reservation-{cents}"


def settle(reservation: str) -> None:
    if not reservation.startswith("reservation-"):
        raise ValueError("no such reservation")
