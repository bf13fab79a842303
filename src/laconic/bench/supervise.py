"""The process that supervises one task, so that limits hold whatever the method does.

One supervisor per task stands between the runner and the worker. It starts the worker in a process group of
its own, reads its output, samples its memory and CPU time, and ends the whole family of processes (SIGTERM, a
grace period, SIGKILL) when a limit is exceeded. Its standard input is a pipe from the runner: end of file
means that the runner has ended, for whatever reason, and the family is ended as well. A thread in the runner
could not do this, and neither could a signal handler in the worker, which does not run while a solver holds
the interpreter.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import selectors
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from laconic.bench.limits import CpuTime, adopt_orphans, descendants, ran_out_of_memory

SETUP_S = 300.0
"""Time limit in seconds for reading the data, and again for scoring."""

GRACE_S = 2.0
"""Seconds between SIGTERM and SIGKILL."""

SAMPLE_S = 0.2
"""Seconds between two samples of memory and CPU time; the kernel's limit stops memory that grows faster."""

STARTING_S = 0.05
"""Seconds between fork and exec of a process, with a margin."""

TAIL_BYTES = 4000

_WORKER = (sys.executable, "-P", "-m", "laconic.bench.worker")
"""Default command of the worker, for jobs that do not name one."""


def overtime(limit_s: float) -> float:
    """Return how long a method that stops itself at its limit may take to return."""
    return min(30.0, max(1.0, 0.05 * limit_s))


def main() -> None:
    """Supervise the task whose job is in the directory given as argument; write ``outcome.json`` there."""
    directory = Path(sys.argv[1])
    adopt_orphans()
    job = json.loads((directory / "job.json").read_text())
    outcome = Watch(directory, job).run()
    if outcome is None:
        # The runner has ended, so the directory is removed here.
        shutil.rmtree(directory, ignore_errors=True)
        return
    unfinished = directory / "outcome.part"
    unfinished.write_text(json.dumps(outcome))
    unfinished.rename(directory / "outcome.json")


@dataclass
class Watch:
    """The state of one supervised task."""

    directory: Path
    job: dict[str, Any]
    tail: bytes = b""
    peak_bytes: int = 0
    verdict: str | None = None
    deadline: float = 0.0
    started: float | None = None
    at_work: bool = False
    orphaned: bool = False
    _cpu: CpuTime = field(default_factory=CpuTime)
    _cpu_before: float = 0.0
    _selector: selectors.DefaultSelector = field(default_factory=selectors.DefaultSelector)

    def run(self) -> dict[str, Any] | None:
        """Run the worker to its end; return the outcome, or ``None`` if the runner has ended."""
        reading, writing = os.pipe()
        output, output_end = os.pipe()
        born = time.monotonic()
        self.deadline = born + SETUP_S
        worker = subprocess.Popen(
            [*self.job.get("command", _WORKER), str(self.directory), str(writing)],
            stdin=subprocess.DEVNULL,
            stdout=output_end,
            stderr=output_end,
            pass_fds=[writing],
            process_group=0,
            cwd=self.directory,
            env=_environment(),
        )
        os.close(writing)
        os.close(output_end)
        for descriptor, handle in ((0, self._runner), (reading, self._phase), (output, self._output)):
            os.set_blocking(descriptor, False)
            self._selector.register(descriptor, selectors.EVENT_READ, handle)
        if sys.platform == "linux":
            # The descriptor becomes readable when the worker ends, so that this is noticed without delay.
            ended = os.pidfd_open(worker.pid)
            self._selector.register(ended, selectors.EVENT_READ, lambda _: None)
        status = self._wait(worker.pid)
        # Adopted grandchildren may still be running, e.g. a solver whose driver has crashed.
        _end_family(worker.pid)
        worker.returncode = 0  # reaped above; tells Popen not to wait for it
        if self.orphaned:
            return None
        self._drain(output)
        return self._outcome(status, time.monotonic() - (self.started or born))

    def _wait(self, pid: int) -> int:
        """Serve the pipes until the worker has ended; return its status."""
        while True:
            for key, _ in self._selector.select(SAMPLE_S):
                key.data(key.fd)
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                return status
            if self._exceeds_memory():
                self.verdict = "memout"
            elif self._exceeds_cpu_time():
                self.verdict = "cpuout"
            elif time.monotonic() > self.deadline:
                self.verdict = "timeout"
            if self.verdict or self.orphaned:
                _signal_family(pid, signal.SIGKILL if self.orphaned else signal.SIGTERM)
                return self._await_end(pid)

    def _exceeds_memory(self) -> bool:
        """Sample the memory of the family; return whether it exceeds the limit."""
        limit: int = self.job["task"]["memory_mb"] * 2**20
        held = _memory()
        if held > limit:
            # A process between fork and exec shares its parent's memory, which would count twice.
            time.sleep(STARTING_S)
            held = _memory()
        self.peak_bytes = max(self.peak_bytes, held)
        return held > limit

    def _exceeds_cpu_time(self) -> bool:
        """Sample the CPU time of the family if it is limited; only the time of the method counts."""
        limit: float | None = self.job["task"].get("cpu_limit_s")
        if limit is None or not self.at_work:
            return False
        return self._cpu.seconds(descendants(os.getpid())) - self._cpu_before > limit + overtime(limit)

    def _await_end(self, pid: int) -> int:
        end = time.monotonic() + (0 if self.orphaned else GRACE_S)
        while time.monotonic() < end:
            for key, _ in self._selector.select(SAMPLE_S):
                key.data(key.fd)
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                return status
        _signal_family(pid, signal.SIGKILL)
        return os.waitpid(pid, 0)[1]

    def _runner(self, descriptor: int) -> None:
        if not os.read(descriptor, 1024):
            self.orphaned = True
            self._selector.unregister(descriptor)

    def _phase(self, descriptor: int) -> None:
        news = os.read(descriptor, 16)
        now = time.monotonic()
        # A worker with several fits may have ended one and started the next since the last read.
        for sign in news.decode():
            if sign == "S":
                limit = self.job["task"]["limit_s"]
                self.started, self.at_work = now, True
                self._cpu_before = self._cpu.seconds(descendants(os.getpid()))
                self.deadline = now + limit + overtime(limit)
            else:
                self.deadline, self.at_work = now + SETUP_S, False
        if not news:
            self._selector.unregister(descriptor)

    def _output(self, descriptor: int) -> None:
        text = os.read(descriptor, 65536)
        self.tail = (self.tail + text)[-TAIL_BYTES:]
        if not text:
            self._selector.unregister(descriptor)

    def _drain(self, descriptor: int) -> None:
        with contextlib.suppress(BlockingIOError):
            while text := os.read(descriptor, 65536):
                self.tail = (self.tail + text)[-TAIL_BYTES:]

    def _outcome(self, status: int, wall: float) -> dict[str, Any]:
        # The usage covers the whole family: all of it has been reaped, here or by its parents.
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        # The peak is the kernel's for the largest single process, or the largest sampled sum of all.
        unit = 1 if sys.platform == "darwin" else 1024
        peak = max(self.peak_bytes, usage.ru_maxrss * unit)
        outcome: dict[str, Any] = {
            "wall_s": round(wall, 4),
            "cpu_s": round(usage.ru_utime + usage.ru_stime, 4),
            "peak_mb": round(peak / 2**20, 1),
        }
        result = self.directory / "result.json"
        if result.exists():
            found: dict[str, Any] = json.loads(result.read_text())
            return outcome | found
        text = self.tail.decode(errors="replace").strip()
        if self.verdict == "timeout" and self.started is None:
            self.verdict, text = "crash", f"reading the data took more than {SETUP_S:.0f} s; {text}"
        if self.verdict is None:
            self.verdict = _exit_kind(status, text)
        if (
            self.verdict == "timeout"
            and _ended_by(status, signal.SIGXCPU)
            and "cpu_limit_s" in self.job["task"]
        ):
            self.verdict = "cpuout"
        messages = {
            "timeout": f"stopped after {wall:.1f} s",
            "cpuout": f"stopped after {outcome['cpu_s']:.1f} s of processor time, {wall:.1f} s by the clock",
            "memout": f"stopped for using more than {self.job['task']['memory_mb']} MB",
        }
        return outcome | {
            "exit": self.verdict,
            "message": messages.get(self.verdict) or _death_message(status, text),
        }


def _exit_kind(status: int, text: str) -> str:
    if _ended_by(status, signal.SIGXCPU):
        return "timeout"
    return "memout" if ran_out_of_memory(text) else "crash"


def _ended_by(status: int, number: int) -> bool:
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == number


def _death_message(status: int, text: str) -> str:
    code = os.waitstatus_to_exitcode(status)
    how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    return f"the worker ended with {how}; its last output: {text or '(none)'}"


def _memory() -> int:
    return sum(process.resident for process in descendants(os.getpid()).values())


def _signal_family(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)
    for member in descendants(os.getpid()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(member, number)


def _end_family(pid: int) -> None:
    """Kill and reap all processes that the worker has left behind."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    # Repeat until the kernel knows no child: orphans have been adopted, and the CPU time of a process that is
    # not reaped would be missing from the sum.
    with contextlib.suppress(ChildProcessError):
        while True:
            for member in descendants(os.getpid()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(member, signal.SIGKILL)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(0.01)


def _environment() -> dict[str, str]:
    """Return the environment of a task: one thread per library, and the same hash order in every run."""
    one = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
    return {**os.environ, **dict.fromkeys(one, "1"), "PYTHONHASHSEED": "0"}


if __name__ == "__main__":
    main()
