"""What is not REST: the client's files and only page, and the page that says the server is up."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

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


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})
