"""The two pages that are not REST: the client's only page, and the one that says the server is up."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

NOT_BUILT = "The web client is not built. Run `make setup` in the project's folder, then start the server again.\n"


@require_safe
def client(request: HttpRequest) -> HttpResponse:
    """The page that loads the client, for every address the client knows; it reads the address by itself."""
    try:
        page = (settings.CLIENT_DIR / "index.html").read_bytes()
    except FileNotFoundError:
        return HttpResponse(NOT_BUILT, content_type="text/plain; charset=utf-8", status=503)
    # Always asked for anew, so that nobody runs yesterday's client; what it loads has hashed names.
    return HttpResponse(page, headers={"Cache-Control": "no-cache"})


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})
