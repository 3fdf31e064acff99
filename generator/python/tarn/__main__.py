"""python -m tarn: the command line."""
import os
import subprocess
import sys

from ._command import executable


def main() -> int:
    words = [executable(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(words[0], words)
    return subprocess.call(words)


if __name__ == "__main__":
    sys.exit(main())
