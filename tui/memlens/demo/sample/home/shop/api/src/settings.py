"""Settings from the environment."""

import os

DATABASE = os.environ.get("SHOP_DATABASE", "postgresql://localhost/shop")
