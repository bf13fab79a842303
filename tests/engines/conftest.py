import signal

import pytest


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises `KeyboardInterrupt` even where a shell started the tests in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
