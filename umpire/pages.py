"""What is not REST: the client's files and only page, and the page that says whether the server is well."""

import sys

import msgspec
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from umpire.api.problems import CONTENT_TYPE, problem_of_fault
from umpire.serving import wait_budget
from umpire.serving.problem_responses import AGAIN

NOT_BUILT = "The web client is not built. Run `make setup` in the project's folder, then start the server again.\n"


class ClientFiles(WhiteNoiseMiddleware):
    """Serves the built client's files whole: streamed, each chunk would go through a thread."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file as file:
                content = file.read()
        answer = HttpResponse(content, status=int(found.status))
        del answer["Content-Type"]
        for name, value in found.headers:
            answer[name] = value
        return answer


@require_safe
def client(request: HttpRequest) -> HttpResponse:
    """The page that loads the client, for every address the client knows; it reads the address by itself."""
    try:
        page = (settings.CLIENT_DIR / "index.html").read_bytes()
    except FileNotFoundError:
        return HttpResponse(NOT_BUILT, content_type="text/plain; charset=utf-8", status=503)
    # Always asked for anew, so that nobody runs yesterday's client; what it loads has hashed names.
    return HttpResponse(page, headers={"Cache-Control": "no-cache"})


HEALTH_WITHIN = 2.0
"""Seconds that the database has to answer in."""


class Health:
    """Whether a web process can do its work: the database answers, and has the form that this code wants.

    Without Redis the game goes on (hidden plans wait), so it is not asked: a proxy would take all processes out.
    """

    def __init__(self) -> None:
        self.is_migrated = False

    def fault(self) -> str:
        """What is wrong, in words; empty where nothing is."""
        try:
            with wait_budget.within(HEALTH_WITHIN):
                if not self.is_migrated:
                    executor = MigrationExecutor(connection)
                    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
                        return "the database is not migrated: run manage.py migrate"
                    self.is_migrated = True
                else:
                    with connection.cursor() as cursor:
                        cursor.execute("SELECT 1")
                        cursor.fetchone()
        except Exception as raised:
            if not wait_budget.is_unavailable(raised):
                raise
            return "the database does not answer"
        return ""


_health = Health()


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    fault = _health.fault()
    return HttpResponse(
        f"{fault or 'ok'}\n",
        content_type="text/plain; charset=utf-8",
        headers={"Cache-Control": "no-store", **({"Retry-After": str(AGAIN)} if fault else {})},
        status=503 if fault else 200,
    )


def fault(request: HttpRequest) -> HttpResponse:
    """The answer to what was raised outside any view (Django's `handler500`): the same problem as from within one."""
    problem = problem_of_fault(sys.exc_info()[1], request.method)
    answer = HttpResponse(
        msgspec.json.encode(problem.document), content_type=CONTENT_TYPE, status=problem.document.status
    )
    for name, value in {"Cache-Control": "private, no-store", **problem.headers}.items():
        answer[name] = value
    # A database that is away has had its line in the log; a traceback for each request would bury it.
    answer._has_been_logged = problem.document.status != 500
    return answer
