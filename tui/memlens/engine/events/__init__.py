"""What has happened, with a snapshot (frozen dataclasses), one room a part."""
