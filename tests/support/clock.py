"""Processor time, which a busy machine does not lengthen: limits are tested by it."""

from __future__ import annotations

import time


class ProcessorTime:
    """Measures the processor time of a ``with`` block, of all threads of this process."""

    seconds: float

    def __enter__(self) -> ProcessorTime:
        self._start = time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.process_time() - self._start
