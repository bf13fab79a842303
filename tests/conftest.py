import signal

import pytest


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises `KeyboardInterrupt`, also in tests started in the background, where it is off."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
