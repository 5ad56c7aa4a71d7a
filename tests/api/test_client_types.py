"""The web client's types are those of the OpenAPI document."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from django.core.management import call_command

CLIENT = Path(__file__).parents[2] / "frontend"


def test_the_clients_types_are_what_the_document_says(tmp_path: Path, settings: Any) -> None:
    """`make types` writes them anew; the example system is none of the client's."""
    settings.OFFER_EXAMPLES = False
    with (tmp_path / "schema.json").open("w") as file:
        call_command("openapi", stdout=file)
    made = tmp_path / "schema.d.ts"
    command = ["npm", "run", "-s", "types", "--", str(tmp_path / "schema.json"), "-o", str(made)]
    done = subprocess.run(command, cwd=CLIENT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert made.read_text() == (CLIENT / "src/api/schema.d.ts").read_text(), "they have drifted: make types"
