"""Addresses: REST under /api/v1/, the client's page for everything a person may type or scan, and a bare page."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from umpire.api.resources.pages import static_page
from umpire.pages import client, health

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("umpire.api.urls")),
    path("bare/", static_page, {"name": "bare.html"}),
    path("bare/bare.js", static_page, {"name": "bare.js"}),
    path("healthz", health),
    path("", client),
    re_path(r"^(?:join|battles?|desk|new|sign-in|campaigns?)(?:/.*)?$", client),
]

handler500 = "umpire.pages.fault"
