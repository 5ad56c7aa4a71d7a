"""The schema, a page to read it, and a bare page to play by: what a developer of another client wants."""

from __future__ import annotations

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from rest_framework.request import Request
from rest_framework.response import Response

from umpire.api import responses
from umpire.api.offered import played_here
from umpire.api.resource import Resource
from umpire.api.schema import document, says

FILES = Path(__file__).parents[1] / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
}


class SchemaView(Resource):
    """The OpenAPI document; it tells what can be asked and nothing of any battle."""

    open_to_all = True
    authentication_classes = ()

    @says("This document", answer=responses.Schema, open_to_all=True)
    def get(self, request: Request) -> Response:
        return Response(document(tuple(played_here())))


@require_safe
def static_page(request: HttpRequest, name: str) -> HttpResponse:
    """One of the plain files beside this module. They load nothing from elsewhere."""
    path = FILES / name
    return HttpResponse(path.read_bytes(), content_type=TYPES[path.suffix], headers={"Cache-Control": "no-cache"})
