"""What a change in git does to what agents are told: differences, findings, reports, hooks.

Stands above `context`, `durable` and `plan`, knows neither screen nor bus.
"""
