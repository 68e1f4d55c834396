"""Reports for the back office."""


def turnover(cents: list[int]) -> str:
    return f"{sum(cents) / 100:.2f}"


def busiest(hours: dict[int, int]) -> int:
    return max(hours, key=lambda hour: hours[hour])
