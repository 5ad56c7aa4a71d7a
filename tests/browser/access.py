"""What everybody needs of a screen, measured in the browser: room for a thumb, names on controls, contrast of texts."""

from __future__ import annotations

from typing import Any

CONTROLS = {
    "button", "link", "textbox", "combobox", "tab", "checkbox", "radio", "option", "slider", "spinbutton", "listbox",
}  # fmt: skip

_SMALL = """(least) => {
    const seen = (el) =>
        el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !el.closest("[inert]");
    const found = [];
    for (const el of document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=tab]")) {
        if (!seen(el) || el.closest("svg")) continue;
        // The label of a box to tick is as good as the box.
        const target = (/checkbox|radio/.test(el.type ?? "") && el.closest("label")) || el;
        const box = target.getBoundingClientRect();
        let [width, height] = [box.width, box.height];
        const more = getComputedStyle(target, "::after");
        if (more.content !== "none" && more.position === "absolute") {
            width = Math.max(width, parseFloat(more.width) || 0);
            height = Math.max(height, parseFloat(more.height) || 0);
        }
        if (width + 0.5 < least || height + 0.5 < least) {
            const name = (el.getAttribute("aria-label") || el.innerText || el.name || el.className).trim().slice(0, 40);
            found.push(`${el.tagName.toLowerCase()} “${name}” ${Math.round(width)}×${Math.round(height)}`);
        }
    }
    return found;
}"""

_FAINT = """() => {
    const parse = (text) => {
        const [r, g, b, a] = (text.match(/[\\d.]+/g) ?? []).map(Number);
        return { r, g, b, a: a ?? 1 };
    };
    const over = (top, below) => ({
        r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a),
        b: top.b * top.a + below.b * (1 - top.a), a: 1,
    });
    const light = ({ r, g, b }) => [r, g, b]
        .map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (el) => {
        const layers = [];
        for (let at = el; at; at = at.parentElement) {
            const colour = parse(getComputedStyle(at).backgroundColor);
            layers.push(colour);
            if (colour.a === 1) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
    };
    const found = new Set();
    for (const el of document.querySelectorAll("body *")) {
        if (el.closest("svg, [aria-hidden=true]") || el.disabled || el.closest(":disabled")) continue;
        const text = [...el.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join(" ").trim();
        if (!text || !el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const style = getComputedStyle(el), back = behind(el), fore = over(parse(style.color), back);
        const [a, b] = [light(fore), light(back)].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        const size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 700;
        const least = size >= 24 || (bold && size >= 18.66) ? 3 : 4.5;
        if (ratio < least) found.add(`“${text.slice(0, 40)}” ${ratio.toFixed(2)}:1`);
    }
    return [...found];
}"""


def too_small(page: Any, least: int = 44) -> list[str]:
    """Controls in which a thumb has less room than this in either direction."""
    found: list[str] = page.evaluate(_SMALL, least)
    return found


def too_faint(page: Any) -> list[str]:
    """Texts whose contrast to what is behind them is below WCAG 2.2 AA."""
    found: list[str] = page.evaluate(_FAINT)
    return found


def runs_over(page: Any) -> int:
    """By how many pixels the page is wider than the screen."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def nameless(context: Any, page: Any) -> list[str]:
    """Controls that have no name for whoever cannot see them, as the browser tells them to a screen reader."""
    session = context.new_cdp_session(page)
    try:
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    finally:
        session.detach()
    return [
        f"{node['role']['value']} {node.get('backendDOMNodeId')}"
        for node in nodes
        if not node.get("ignored")
        and node.get("role", {}).get("value") in CONTROLS
        and not str(node.get("name", {}).get("value", "")).strip()
    ]


def tab_to(page: Any, name: str, most: int = 150) -> None:
    """Goes on with the tabulator until a control of that name has the focus."""
    seen: list[str] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        said = page.evaluate(
            """() => {
                const el = document.activeElement;
                return (el?.getAttribute("aria-label") || el?.labels?.[0]?.innerText || el?.innerText || "").trim();
            }"""
        )
        seen.append(said)
        if said.split("\n")[0].startswith(name):
            return
    raise AssertionError(f"the keyboard does not come to {name!r}; it came to {list(dict.fromkeys(seen))}")
