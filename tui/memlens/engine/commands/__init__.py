"""What a front end asks the engine for (frozen dataclasses), one room a part."""
