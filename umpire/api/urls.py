"""Addresses of REST. Ids are letters, digits, - and _; everything else is nowhere."""

from __future__ import annotations

from django.urls import path, re_path, register_converter

from umpire.api import resource
from umpire.api.resources import (
    battles,
    board,
    campaigns,
    desk,
    gallery,
    messages,
    news,
    orders,
    pages,
    plans,
    questions,
    seats,
    session,
)


class IdConverter:
    regex = "[A-Za-z0-9_-]{1,40}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(IdConverter, "id")

BATTLE = "battles/<id:battle_id>"

urlpatterns = [
    path("session", session.SessionView.as_view()),
    path("session/link", session.SignInView.as_view()),
    path("start", session.StartView.as_view()),
    path("picture", session.PictureView.as_view()),
    path("addresses", session.AddressesView.as_view()),
    path("devices", session.DevicesView.as_view()),
    path("devices/<id:device_id>", session.DeviceView.as_view()),
    path("join", session.JoinView.as_view()),
    path("systems", gallery.SystemsView.as_view()),
    path("scenarios", gallery.ScenariosView.as_view()),
    path("scenarios/<id:system>/<id:scenario>", gallery.ScenarioView.as_view()),
    path("battles", battles.BattlesView.as_view()),
    path(BATTLE, battles.BattleView.as_view()),
    path(f"{BATTLE}/scene", board.SceneView.as_view()),
    path(f"{BATTLE}/view", board.ViewView.as_view()),
    path(f"{BATTLE}/options", board.OptionsView.as_view()),
    path(f"{BATTLE}/preview", board.PreviewView.as_view()),
    path(f"{BATTLE}/odds", board.OddsView.as_view()),
    path(f"{BATTLE}/sight", board.SightView.as_view()),
    path(f"{BATTLE}/orders", orders.OrdersView.as_view()),
    path(f"{BATTLE}/orders/release", orders.ReleaseView.as_view()),
    path("orders/<id:order_id>", orders.OrderView.as_view()),
    path("orders/<id:order_id>/withdraw", orders.WithdrawView.as_view()),
    path(f"{BATTLE}/questions", questions.QuestionsView.as_view()),
    path(f"{BATTLE}/questions/<id:question_id>/answer", questions.AnswerView.as_view()),
    path(f"{BATTLE}/news", news.NewsView.as_view()),
    path(f"{BATTLE}/sync", news.SyncView.as_view()),
    path(f"{BATTLE}/ticket", news.TicketView.as_view()),
    path(f"{BATTLE}/messages", messages.MessagesView.as_view()),
    path("messages/<id:message_id>/deliver", messages.DeliverView.as_view()),
    path("messages/<id:message_id>/delay", messages.DelayView.as_view()),
    path("messages/<id:message_id>/lose", messages.LoseView.as_view()),
    path(f"{BATTLE}/desk", desk.DeskView.as_view()),
    path(f"{BATTLE}/corrections", desk.CorrectionsView.as_view()),
    path(f"{BATTLE}/corrections/preview", desk.ForeseenView.as_view()),
    path(f"{BATTLE}/ledger", desk.LedgerView.as_view()),
    path(f"{BATTLE}/rewind", desk.RewindView.as_view()),
    path(f"{BATTLE}/open-order", desk.OpenOrderView.as_view()),
    path(f"{BATTLE}/copy", battles.CopyView.as_view()),
    path(f"{BATTLE}/reopen", battles.ReopenView.as_view()),
    path(f"{BATTLE}/finish", battles.FinishView.as_view()),
    path(f"{BATTLE}/record", desk.RecordView.as_view()),
    path(f"{BATTLE}/plans", plans.PlansView.as_view()),
    path(f"{BATTLE}/plans/route", plans.RouteView.as_view()),
    path(f"{BATTLE}/seats", seats.SeatsView.as_view()),
    path("seats/<id:seat_id>", seats.SeatView.as_view()),
    path("seats/<id:seat_id>/code", seats.SeatCodeView.as_view()),
    path("seats/<id:seat_id>/revoke", seats.SeatRevokeView.as_view()),
    path(f"{BATTLE}/campaign", campaigns.EnrolView.as_view()),
    path(f"{BATTLE}/campaign/apply", campaigns.ApplyView.as_view()),
    path("campaigns", campaigns.CampaignsView.as_view()),
    path("campaigns/<id:campaign_id>", campaigns.CampaignView.as_view()),
    path("campaigns/<id:campaign_id>/edits", campaigns.CampaignEditsView.as_view()),
    path("campaigns/<id:campaign_id>/side", campaigns.CampaignSideView.as_view()),
    path("schema", pages.SchemaView.as_view()),
    path("docs", pages.static_page, {"name": "docs.html"}),
    path("docs.js", pages.static_page, {"name": "docs.js"}),
    re_path(r"", resource.Nowhere.as_view()),
]
