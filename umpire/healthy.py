"""`python -m umpire.healthy`: asks the web process on this machine whether it is healthy; exit status 1 if it is not.

For a container's health check: it asks under a name that the server answers to, whatever `ALLOWED_HOSTS` says.
"""

from __future__ import annotations

import http.client
import os
import sys

PORT = 8000
WITHIN = 3.0


def host_from(allowed: str) -> str:
    """A name that a server with these allowed hosts answers to: of all names of a domain (".example.org") the domain's
    own, and any where all are allowed."""
    first = allowed.split(",")[0].strip()
    return "localhost" if first == "*" else first.lstrip(".")


def main() -> int:
    line = http.client.HTTPConnection("127.0.0.1", PORT, timeout=WITHIN)
    try:
        line.request("GET", "/healthz", headers={"Host": host_from(os.environ.get("ALLOWED_HOSTS", ""))})
        answer = line.getresponse()
        said = answer.read(200).decode().strip()
    except (OSError, http.client.HTTPException) as fault:
        said = str(fault)
    print(said)
    return 0 if said == "ok" else 1


if __name__ == "__main__":
    sys.exit(main())
