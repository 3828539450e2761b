import { earlierEventTypes } from "@fieldmesh/webhook-types";
import type { EventDocument, EventDocuments } from "../documents/events.ts";
import { firstSentence, mark, page, prose, withFrontmatter } from "./markdown.ts";

/** The types that only an earlier catalog has. */
export const earlier: ReadonlySet<string> = new Set(earlierEventTypes);

/** Writes the page of the catalog: every type by family, with a filter above. */
export function writeCatalog({ events, tags }: EventDocuments): string {
  const texts = new Map(tags.map(({ name, description }) => [name, String(description)]));
  const families = [...Map.groupBy(events, ({ family }) => family)].map(([family, those]) =>
    page([
      `<section class="fm-family" data-family="${family}">`,
      `## ${family}`,
      prose(aboutFamily(texts.get(family) ?? "")),
      ...those.map(writeEntry),
      "</section>",
    ]),
  );
  const description = `All ${events.length} webhook events by family, with a filter: when each fires, and a page with its fields, a sample and a typed handler.`;
  return withFrontmatter(
    { title: "Event catalog", description, outline: 2, pageClass: "fm-catalog" },
    page([
      "# Event catalog",
      `${events.length} types: ${events.length - earlier.size} of the current catalog, and ${earlier.size} that only an earlier one has. Every event is an
envelope: \`id\`, \`type\`, \`created_at\`, \`livemode\`, \`data\` and \`idempotency_key\`. \`data.object\` is the record as it was when the event fired.
All records are open: an event may have more fields than its page lists. [Webhooks in detail](./guides/webhooks.md) shows how to
verify and route events, and [Receive webhooks](./guides/receiving-webhooks.md) shows how to lose none of them.`,
      `For other languages: <a href="./asyncapi/webhooks.json" target="_self">AsyncAPI 3</a>, and a JSON Schema of each event at
\`schemas/events/<type>.json\`.
[Documents for other languages](./project/documents.md) describes both, and the code generators that are tested with them.`,
      filterForm(events),
      ...families,
    ]),
  );
}

/** Returns what the text of a family says beyond its name. */
function aboutFamily(text: string): string {
  return /(?<= events, by type\.\s+)\S[^]*$/.exec(text)?.[0] ?? "";
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

/** The anchor is that of the section which the type had here before it had a page. */
function writeEntry({ type, text }: EventDocument): string {
  const fires = prose(firstSentence(text.description ?? ""));
  return `<section class="fm-event" id="${type.replaceAll(".", "-")}" data-type="${type}">

[\`${type}\`](./events/${type}.md)${earlier.has(type) ? ` ${mark("earlier")}` : ""} ${fires}

</section>`;
}
