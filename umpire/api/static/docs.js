// Renders the OpenAPI document so that a person can read it.
"use strict";

const at = (id) => document.getElementById(id);

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A schema in few words, with links to those it names. */
function brief(schema) {
  if (!schema || schema === true) return ["anything"];
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop();
    return [element("a", { href: `#schema-${name}`, textContent: name })];
  }
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return several.flatMap((one, n) => [n ? " or " : "", ...brief(one)]);
  if (schema.enum) return [schema.enum.map((value) => JSON.stringify(value)).join(" | ")];
  if (schema.type === "array") {
    if (schema.prefixItems) return ["[", ...schema.prefixItems.flatMap((one, n) => [n ? ", " : "", ...brief(one)]), "]"];
    return ["list of ", ...brief(schema.items)];
  }
  if (schema.type === "object" && schema.additionalProperties && schema.additionalProperties !== true) {
    return ["object of ", ...brief(schema.additionalProperties)];
  }
  return [schema.type ?? "anything"];
}

function row(name, schema, needed, text) {
  return element("tr", {},
    element("td", {}, element("code", { textContent: name })),
    element("td", {}, element("code", {}, ...brief(schema))),
    element("td", { textContent: needed ? "needed" : "" }),
    element("td", { textContent: text ?? schema.description ?? "" }));
}

function operation(path, method, told) {
  const body = told.requestBody?.content?.["application/json"]?.schema;
  const answers = Object.entries(told.responses ?? {}).map(([status, answer]) => {
    const schema = Object.values(answer.content ?? {})[0]?.schema;
    return element("tr", {},
      element("td", { textContent: status }),
      element("td", {}, element("code", {}, ...(schema ? brief(schema) : ["nothing"]))),
      element("td", { textContent: answer.description ?? "" }));
  });
  const parts = [element("p", { textContent: told.description ?? "" })];
  if (told.parameters?.length) {
    parts.push(element("table", {}, ...told.parameters.map((p) => row(`${p.name} (${p.in})`, p.schema, p.required, p.description))));
  }
  if (body) parts.push(element("p", {}, "Body: ", element("code", {}, ...brief(body))));
  parts.push(element("table", {}, ...answers));
  return element("details", {},
    element("summary", {}, element("span", { className: "method", textContent: method.toUpperCase() }),
      element("code", { textContent: path }), ` ${told.summary ?? ""}`),
    ...parts);
}

function schema(name, told) {
  const rows = Object.entries(told.properties ?? {}).map(([field, one]) =>
    row(field, one, (told.required ?? []).includes(field)));
  const rest = rows.length ? element("table", {}, ...rows) : element("p", {}, element("code", {}, ...brief(told)));
  return element("details", { id: `schema-${name}` },
    element("summary", {}, element("code", { textContent: name })),
    element("p", { textContent: told.description ?? "" }), rest);
}

async function show() {
  const told = await (await fetch("/api/v1/schema")).json();
  at("operations").replaceChildren(...Object.entries(told.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => operation(path, method, one))));
  at("schemas").replaceChildren(...Object.entries(told.components.schemas).sort().map(([name, one]) => schema(name, one)));
}

at("filter").addEventListener("input", () => {
  const wanted = at("filter").value.toLowerCase();
  for (const one of document.querySelectorAll("#operations details, #schemas details")) {
    one.hidden = !one.textContent.toLowerCase().includes(wanted);
  }
});
addEventListener("hashchange", () => {
  const one = document.querySelector(CSS.escape ? `#${CSS.escape(location.hash.slice(1))}` : location.hash);
  if (one) one.open = true;
});
show().catch((fault) => (at("operations").textContent = `The schema could not be read: ${fault.message}`));
