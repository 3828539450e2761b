import { stringifyJson } from "@fieldmesh/core";
import { earlierEventTypes } from "@fieldmesh/webhook-types";
import type { EventDocument, EventDocuments } from "../machine/events.ts";
import { fieldTable } from "./field-table.ts";
import { fence, mark, page, prose, withFrontmatter } from "./markdown.ts";

const earlier: ReadonlySet<string> = new Set(earlierEventTypes);

/** Writes the page of the catalog: every type by family, with a filter above. */
export function writeCatalog({ events, schemas, tags }: EventDocuments): string {
  const texts = new Map(tags.map(({ name, description }) => [name, String(description)]));
  const families = [...Map.groupBy(events, ({ family }) => family)].map(([family, those]) =>
    page([
      `<section class="fm-family" data-family="${family}">`,
      `## ${family}`,
      texts.get(family) === family ? "" : prose(texts.get(family) ?? ""),
      ...those.map((event) => writeEvent(event, schemas)),
      "</section>",
    ]),
  );
  const description = `All ${events.length} webhook events: when each fires, its payload fields, a sample, and a typed handler to copy.`;
  return withFrontmatter(
    { title: "Event catalog", description, outline: 2, pageClass: "fm-catalog" },
    page([
      "# Event catalog",
      `${events.length} types: ${events.length - earlier.size} of the current catalog, and ${earlier.size} that only an earlier one has. Every event is an
envelope: \`id\`, \`type\`, \`created_at\`, \`livemode\`, \`data\` and \`idempotency_key\`; under \`data.object\` stands the record as it was then.
All records are open. [Webhooks](./guides/webhooks.md) tells how to verify and route them,
[Receiving webhooks](./guides/receiving-webhooks.md) how to lose none.`,
      `For other languages: <a href="./asyncapi/webhooks.json" target="_self">AsyncAPI 3</a>, and a JSON Schema of each event at
\`schemas/events/<type>.json\`.
[Documents for other languages](./guides/documents.md) lists them, with the generators that are tested.`,
      filterForm(events),
      ...families,
    ]),
  );
}

/** Returns the form that the component EventFilter of the theme makes work. */
function filterForm(events: EventDocuments["events"]): string {
  const families = [...new Set(events.map(({ family }) => `<option>${family}</option>`))];
  return `<form class="fm-filter" role="search">
<div><label for="fm-words">Filter</label><input id="fm-words" type="search" placeholder="sim, invoice paid, threshold …"></div>
<div><label for="fm-family">Family</label><select id="fm-family"><option value="">all</option>${families.join("")}</select></div>
<output aria-live="polite">${events.length} of ${events.length} events</output>
</form>
<EventFilter />`;
}

function writeEvent(
  { type, name: component, text, sample }: EventDocument,
  schemas: EventDocuments["schemas"],
): string {
  const [fires = "", ...notes] = (text.description ?? "").split("\n\n");
  const isEarlier = earlier.has(type);
  const { properties } = schemas[component] as { properties: Record<"data", { $ref: string }> };
  const payload = schemas[properties.data.$ref.replace(/.*\//, "")] ?? {};
  return page([
    `<section class="fm-event" data-type="${type}">`,
    `### ${type}`,
    isEarlier && mark("earlier"),
    prose(fires),
    ...notes.map(prose),
    isEarlier && prose(`**${text.deprecated ?? ""}**`),
    "<details><summary>Payload, sample and handler</summary>",
    fieldTable(payload, (name) => schemas[name] ?? {}),
    fence("json", stringifyJson(sample, { space: 2 })),
    fence("ts", handlerOf(type)),
    "</details>",
    "</section>",
  ]);
}

/** Returns the source of a router that handles one event type. */
export function handlerOf(type: string): string {
  return `import { createEventRouter } from "@fieldmesh/webhook-types/router";

export const router = createEventRouter({
  "${type}": (event) => {
    console.log(event.id, event.data.object);
  },
});`;
}
