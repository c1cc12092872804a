"""The memory of this process: how much it holds, the most it held, and a limit on it."""

import ctypes
import sys
from contextlib import suppress
from pathlib import Path

_STATUS = Path("/proc/self/status")
_MEGA = 1e6


def _status_mb(field: str) -> float | None:
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return None
    kilobytes = next((line.split()[1] for line in lines if line.startswith(field + ":")), None)
    return None if kilobytes is None else int(kilobytes) * 1024 / _MEGA


def mark() -> float | None:
    """Start a new high-water mark and return what is held now, in megabytes; None where the system can't tell."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # glibc's alone; what earlier cells freed would hide a peak
            ctypes.CDLL(None).malloc_trim(0)
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return None
    return _status_mb("VmRSS")


def peak_since(held: float | None) -> float | None:
    """Return the most that was held since `mark`, in megabytes above what was held then."""
    peak = _status_mb("VmHWM")
    return None if held is None or peak is None else max(0.0, peak - held)


def limit(megabytes: float) -> None:
    """Let this process allocate so much more than it holds now; past that allocation raises MemoryError.

    Only Linux counts all private memory under this limit; elsewhere it does nothing.
    """
    if sys.platform != "linux":
        return
    import resource

    held = _status_mb("VmData") or 0.0
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (int((held + megabytes) * _MEGA), hard))
