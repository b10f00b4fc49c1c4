"""Files that a script makes out of others and that are committed: written, or compared with what is there."""

import pathlib
import sys

DEPLOY = pathlib.Path(__file__).resolve().parents[1]


def bring_up_to_date(wanted, made_by, check=False):
    """`wanted`: path → text. Writes what differs; with `check` nothing, and says what differs and which
    script would write it. Returns the script's exit code."""
    stale = [path for path, text in wanted.items()
             if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if check:
            print(f"{path.relative_to(DEPLOY)} is not up to date: run {made_by}", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
    return 1 if check and stale else 0
