"""How planning, skipping and dispatching grow with the number of cells, for a method that does nothing.

    python tests/benchmarks/plan_scale.py [largest number of cells, 100000 by default]

Each size is planned, then run up to a handful of missing cells (the rest are records made beforehand), so that what is
timed is the plan, the reading, the skipping and the dispatch, not the cells.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TOY = Path(__file__).resolve().parents[1] / "toy"
WORDS = ["--config-dir", str(TOY / "conf"), "+experiment=toy", "sweep.values=[50]", "root=.", "folder=out"]
MISSING = 20

KEYS = """
import sys
from pathlib import Path
from gdmbench.config.compose import load_config
from gdmbench.plan import make_plan
print(*[cell.key for cell in make_plan(load_config(sys.argv[3:], Path(sys.argv[2])))])
"""

CHILD = """
import resource, sys, time
from gdmbench.config.compose import load_config
from gdmbench.execute.executors import make_executor
from gdmbench.plan import make_plan
from gdmbench.records.store import Store
from pathlib import Path
words, missing = sys.argv[2:], int(sys.argv[1])
config = load_config(words[2:], Path(words[1]))
start = time.perf_counter(); plan = make_plan(config); keys = [cell.key for cell in plan]
planned = time.perf_counter() - start
start = time.perf_counter(); records, _ = Store(Path("out")).read(); read = time.perf_counter() - start
executor = make_executor(config, [])
start = time.perf_counter()
done = {key for key, record in records.items() if record["status"] == "ok"}
ended = sum(record is not None for record in executor.run(cell for cell in plan if cell.key not in done))
dispatched = time.perf_counter() - start
assert ended == missing, ended
print(planned, read, dispatched, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
"""


def measure(n_cells: int) -> tuple[float, ...]:
    environment = {**os.environ, "PYTHONPATH": str(TOY)}
    words = [*WORDS, f"repetitions={n_cells}"]
    with tempfile.TemporaryDirectory() as folder:
        first = [sys.executable, "-m", "gdmbench", *WORDS, "repetitions=1"]
        subprocess.run(first, check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
        path = Path(folder, "out", "records.jsonl")
        record = json.loads(path.read_text().splitlines()[0])
        listed = subprocess.run(
            [sys.executable, "-c", KEYS, *words],
            check=True,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        ).stdout.split()
        path.write_text("".join(json.dumps({**record, "key": key}) + "\n" for key in listed[MISSING:]))
        command = [sys.executable, "-c", CHILD, str(MISSING), *words]
        out = subprocess.run(command, check=True, cwd=folder, env=environment, capture_output=True, text=True).stdout
    return tuple(float(number) for number in out.split())


def main() -> None:
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(
        f"| cells | plan | read the records | skip, dispatch the last {MISSING} | peak memory |\n|---|---|---|---|---|"
    )
    for n_cells in (1_000, 10_000, 100_000):
        if n_cells <= largest:
            plan, read, dispatch, peak = measure(n_cells)
            print(f"| {n_cells:,} | {plan:.2f} s | {read:.2f} s | {dispatch:.2f} s | {peak:.0f} MB |")


if __name__ == "__main__":
    main()
