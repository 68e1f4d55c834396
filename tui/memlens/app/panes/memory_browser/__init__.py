"""The browser of durable memory: facts, their form, what curating them needs."""
