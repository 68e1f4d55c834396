"""Mail to customers."""


def subject(number: int) -> str:
    return f"Your order {number}"
