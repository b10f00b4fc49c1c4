"""Java 17 (or 21), and the options that Flink needs on it."""

import functools
import glob
import os
import re
import shutil
import subprocess

from .processes import HarnessError

# Both Flink lines run on these; 17 is what the project's packages install.
WANTED = (17, 21)

_OPENS = ("java.lang java.util java.util.concurrent java.util.concurrent.atomic "
          "java.util.concurrent.locks java.net java.io java.nio sun.nio.ch java.text java.time "
          "java.lang.reflect").split()
_EXPORTS = "sun.net.util".split()
_MORE_EXPORTS = ["java.rmi/sun.rmi.registry", "java.security.jgss/sun.security.krb5"]

OPTIONS = ([f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENS]
           + [f"--add-exports=java.base/{package}=ALL-UNNAMED" for package in _EXPORTS]
           + [f"--add-exports={package}=ALL-UNNAMED" for package in _MORE_EXPORTS])


def _major(java):
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30,
                                check=False).stderr
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(\d+)', answer)
    return int(found.group(1)) if found else None


@functools.lru_cache(maxsize=None)
def find():
    """The path of a java that Flink runs on."""
    candidates = []
    if os.environ.get("JAVA_HOME"):
        candidates.append(os.path.join(os.environ["JAVA_HOME"], "bin", "java"))
    if shutil.which("java"):
        candidates.append(shutil.which("java"))
    for major in WANTED:
        candidates += sorted(glob.glob(f"/usr/lib/jvm/*{major}*/bin/java"))
    for java in candidates:
        if _major(java) in WANTED:
            return java
    raise HarnessError("no Java 17 or 21 found (JAVA_HOME, PATH, /usr/lib/jvm): run deploy/setup")
