"""Addresses: REST under /api/v1/, the client's page for everything a person may type or scan."""

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path, re_path

from umpire.pages import client, health

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health),
    path("", client),
    re_path(r"^(?:join|battles?|desk|new|sign-in|campaigns?)(?:/.*)?$", client),
]

if find_spec("umpire.api.urls"):
    urlpatterns.insert(0, path("api/v1/", include("umpire.api.urls")))
