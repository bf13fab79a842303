import signal

import pytest
from hypothesis import settings


def pytest_configure(config):
    """Draw the same examples every time, or those of --hypothesis-seed where one is given."""
    seeded = config.getoption("--hypothesis-seed") is not None
    settings.register_profile("laconic", derandomize=not seeded, database=None)
    settings.load_profile("laconic")


def pytest_report_header(config):
    """Say how the examples of a run are drawn again."""
    seed = config.getoption("--hypothesis-seed")
    return None if seed is None else f"random examples: --hypothesis-seed={seed} draws them again"


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises `KeyboardInterrupt`, also in tests started in the background, where it is off."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
