// A whole client in one file: joins, draws forms from what the server offers, gives orders, answers questions, and
// follows the event stream. It knows no rule of any game.
"use strict";

const at = (id) => document.getElementById(id);
const seat = { token: sessionStorage.getItem("bare-token"), battle: "", tag: "", last: 0, subject: "" };

async function call(method, path, body, headers = {}) {
  const answer = await fetch(`/api/v1/${path}`, {
    method,
    headers: {
      ...(seat.token ? { Authorization: `Bearer ${seat.token}` } : {}),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    credentials: "omit",
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  const told = text ? JSON.parse(text) : null;
  if (!answer.ok) {
    const why = [told.detail, ...(told.errors ?? []).map((e) => `${e.pointer}: ${e.detail} ${e.right ?? ""}`)];
    throw new Error([told.title, ...why].filter(Boolean).join("\n"));
  }
  return { told, tag: answer.headers.get("ETag") };
}

const key = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
const act = (path, body, headers = {}) => call("POST", path, body, { "Idempotency-Key": key(), ...headers });

function doing(work) {
  return async (event) => {
    event?.preventDefault();
    at("fault").textContent = "";
    try {
      await work(event);
    } catch (fault) {
      at("fault").textContent = fault.message;
    }
  };
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// What the seat sees and may do

async function look() {
  const { told, tag } = await call("GET", `battles/${seat.battle}/view`);
  seat.tag = tag;
  seat.view = told.view;
  seat.last = Math.max(seat.last, told.news);
  at("tag").textContent = tag;
  at("view").textContent = JSON.stringify(told.view, null, 1);
  await Promise.all([offer(), ask()]);
}

function named(id) {
  return seat.view.pieces?.[id]?.label ?? seat.view.groups?.[id]?.name ?? id;
}

async function offer() {
  const general = (await call("GET", `battles/${seat.battle}/options`)).told;
  const subjects = at("subject");
  const chosen = general.subjects.includes(subjects.value) ? subjects.value : "";
  subjects.replaceChildren(
    element("option", { value: "", textContent: "nothing in particular" }),
    ...general.subjects.map((id) => element("option", { value: id, textContent: named(id) })),
  );
  subjects.value = chosen;
  const forms = chosen
    ? (await call("GET", `battles/${seat.battle}/options?unit=${encodeURIComponent(chosen)}`)).told.forms
    : general.forms;
  at("forms").replaceChildren(...forms.map(drawn));
}

function drawn(form) {
  const slots = (form.slots ?? []).map((slot) => [slot, inputOf(slot)]);
  const said = element("pre");
  const order = () => {
    const values = Object.fromEntries(slots.map(([slot, input]) => [slot.name, valueOf(slot, input)]));
    return { order: { verb: form.verb, ...(form.fixed ?? {}), ...values } };
  };
  const asking = (path) => doing(async () => {
    said.textContent = JSON.stringify((await call("POST", `battles/${seat.battle}/${path}`, order())).told, null, 1);
  });
  const made = element("form", {},
    element("fieldset", {},
      element("legend", { textContent: form.label, title: form.rule ?? "" }),
      form.note ?? "",
      ...slots.map(([slot, input]) => element("label", {}, `${slot.label} `, input)),
      element("button", { textContent: "Give" }),
      element("button", { type: "button", textContent: "Preview", onclick: asking("preview") }),
      ...(form.odds ? [element("button", { type: "button", textContent: "Odds", onclick: asking("odds") })] : []),
      said));
  made.addEventListener("submit", doing(async () => {
    await act(`battles/${seat.battle}/orders`, order(), { "If-Match": seat.tag });
    await look();
  }));
  return made;
}

function inputOf(slot) {
  if (slot.slot === "choice") {
    const choices = slot.choices.map((c) => element("option", { value: c.id, textContent: c.label, title: c.note ?? "" }));
    const select = element("select", { multiple: slot.many ?? false }, ...choices);
    if (slot.usual) select.value = slot.usual;
    return select;
  }
  if (slot.slot === "number") {
    return element("input", { type: "number", min: slot.low, max: slot.high, value: slot.usual ?? slot.low });
  }
  if (slot.slot === "text") return element("input", { maxLength: slot.most ?? 500 });
  if (slot.slot === "flag") return element("input", { type: "checkbox" });
  if (slot.slot === "list") {
    const parts = slot.parts.map((part) => JSON.stringify({ ...part.fixed, ...Object.fromEntries((part.slots ?? []).map((each) => [each.name, each.slot])) }));
    return element("input", { value: slot.by ? "{}" : "[]", title: parts.join(" or ") });
  }
  const placeholder = slot.slot === "path" ? "[[x, y], …]" : "[x, y]";
  return element("input", { placeholder, value: slot.places?.length ? JSON.stringify(slot.places[0]) : "" });
}

function valueOf(slot, input) {
  if (slot.slot === "choice") {
    return slot.many ? [...input.selectedOptions].map((option) => option.value) : input.value;
  }
  if (slot.slot === "number") return Number(input.value);
  if (slot.slot === "flag") return input.checked;
  return slot.slot === "text" ? input.value : JSON.parse(input.value || "[]");
}

async function ask() {
  const waiting = (await call("GET", `battles/${seat.battle}/questions`)).told;
  at("questions").replaceChildren(...(waiting.length ? waiting.map(asked) : ["Nobody asks you anything."]));
}

function asked({ id, question, roll }) {
  const answering = (body) => doing(async () => {
    await act(`battles/${seat.battle}/questions/${id}/answer`, body());
    await look();
  });
  if (roll) {
    const faces = element("input", { placeholder: "faces, as 3 5", inputMode: "numeric" });
    const read = () => ({ faces: faces.value.trim().split(/\D+/).map(Number) });
    return element("div", {}, `${roll.count ?? 1}d${roll.sides ?? 6} for ${roll.purpose} `, faces,
      element("button", { textContent: "Enter", onclick: answering(read) }));
  }
  const choices = element("select", { multiple: true },
    ...question.choices.map((c) => element("option", { value: c.id, textContent: c.label })));
  const read = () => ({ choices: [...choices.selectedOptions].map((option) => option.value) });
  return element("div", {}, element("p", { textContent: question.prompt }), choices,
    element("button", { textContent: "Answer", onclick: answering(read) }));
}

// News

function log(item) {
  if (item.number <= seat.logged) return;
  seat.logged = item.number;
  for (const line of item.lines ?? []) {
    const why = (line.modifiers ?? []).map((m) => `${m.value} ${m.reason}`).join(", ");
    const faces = line.faces?.length ? ` [${line.faces.join(" ")}]` : "";
    at("log").prepend(element("li", { value: item.number, textContent: line.text + faces, title: why || line.rule || "" }));
  }
}

async function follow() {
  const { told } = await call("POST", `battles/${seat.battle}/ticket`, {});
  const stream = new EventSource(`${told.url}&after=${seat.last}`);
  stream.addEventListener("news", (event) => {
    log(JSON.parse(event.data));
    void look().catch(shut);
  });
  stream.addEventListener("wake", () => void look().catch(shut));
  stream.addEventListener("error", () => {
    // A ticket is good once: with the next one the stream goes on after the last news.
    stream.close();
    setTimeout(() => void sit().catch(shut), 2000);
  });
}

function shut(fault) {
  at("fault").textContent = fault.message;
}

async function sit() {
  const { told: who } = await call("GET", "session");
  const { told: battle } = await call("GET", `battles/${who.battle}`);
  Object.assign(seat, { battle: battle.id });
  at("join").hidden = true;
  at("who").hidden = at("table").hidden = false;
  at("who").textContent = `${battle.you.name} (${battle.you.role}) of ${battle.title}, ${battle.system}`;
  const missed = await call("GET", `battles/${seat.battle}/news?after=${seat.logged}`);
  missed.told.news.forEach(log);
  await look();
  await follow();
}

seat.logged = 0;
at("subject").addEventListener("change", doing(offer));
at("join").addEventListener("submit", doing(async () => {
  const { told } = await call("POST", "join", Object.fromEntries(new FormData(at("join"))));
  seat.token = told.token;
  sessionStorage.setItem("bare-token", told.token);
  await sit();
}));
if (seat.token) void sit().catch(() => sessionStorage.removeItem("bare-token"));
