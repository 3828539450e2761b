import { stringifyJson } from "@fieldmesh/core";
import { earlierEventTypes } from "@fieldmesh/webhook-types";
import type { EventDocument, EventDocuments } from "../documents/events.ts";
import { TYPESCRIPT } from "../documents/json-schema.ts";
import type { Json } from "../documents/shapes.ts";
import { statedFieldsOf } from "../documents/stated.ts";
import { type Field, fieldsOf, type LinkTo, tableOf } from "./field-table.ts";
import { handlerOf } from "./handler.ts";
import { code, fence, firstSentence, mark, page, prose, withFrontmatter } from "./markdown.ts";

/** The types that only an earlier catalog has. */
const earlier: ReadonlySet<string> = new Set(earlierEventTypes);

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
All records are open: an event may have more fields than its page lists. [Receive webhooks](./guides/receiving-webhooks.md) shows how to lose none of them,
and [Handle events](./guides/handle-events.md) shows how to route and read them.`,
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

const MOST_RELATED = 8;

/** Writes a page for each event type, by path. */
export function writeEventPages(documents: EventDocuments): Map<string, string> {
  return new Map(
    documents.events.map((event) => [`events/${event.type}.md`, writePage(event, documents)]),
  );
}

/** Returns the schema of the `data` of an event. */
function dataOf({ name }: EventDocument, schemas: EventDocuments["schemas"]): Json {
  const { properties } = schemas[name] as { properties: Record<"data", { $ref: string }> };
  return schemas[properties.data.$ref.replace(/.*\//, "")] ?? {};
}

function writePage(event: EventDocument, { events, schemas }: EventDocuments): string {
  const { type, family, text, sample, name } = event;
  const link: LinkTo = (record) => schemas[record] ?? {};
  const [fires = "", ...notes] = (text.description ?? "").split("\n\n");
  const fields = withPriorValues(fieldsOf(schemas[name] ?? {}, link), sample);
  const [seen, others] = [true, false].map((isSeen) =>
    fields.filter(({ path }) => isIn(sample, path.split(".")) === isSeen),
  );
  const related = relatedTo(event, events);
  return withFrontmatter(
    {
      title: type,
      description: `${type}: ${firstSentence(fires).replaceAll("`", "")} Payload, sample and typed handler.`,
      outline: 2,
    },
    page([
      `# ${type}${earlier.has(type) ? ` ${mark("earlier")}` : ""}`,
      prose(fires),
      ...notes.map(prose),
      earlier.has(type) && prose(`**${text.deprecated ?? ""}**`),
      `Family [\`${family}\`](../events.md#${family.replaceAll("_", "-")}) of the [event catalog](../events.md). JSON Schema:
<a href="../schemas/events/${type}.json" target="_self">${type}.json</a>.`,
      "## Handle it",
      "::: code-group",
      fence("ts [TypeScript]", handlerOf(event, dataOf(event, schemas), link)),
      ":::",
      "[Verify the delivery](../guides/webhooks.md) before you call the router. A [receiver](../guides/receiving-webhooks.md) does both.",
      "## Try it",
      `This command makes a [local sandbox](../guides/try-webhooks-locally.md) emit the event:`,
      fence("sh", `npx @fieldmesh/sandbox trigger ${type}`),
      "## Sample",
      fence("json", stringifyJson(sample, { space: 2 })),
      "## Fields",
      "The fields of the sample:",
      tableOf(seen ?? [], link),
      (others ?? []).length > 0 && "The event may also have:",
      tableOf(others ?? [], link),
      contractText(type, fields),
      related.length > 0 && "## Related events",
      related
        .map(
          (each) =>
            `- [\`${each.type}\`](./${each.type}.md): ${prose(firstSentence(each.text.description ?? ""))}`,
        )
        .join("\n"),
    ]),
  );
}

/** Says which fields the contract names, and what becomes of a payload that differs. */
function contractText(type: EventDocument["type"], fields: readonly Field[]): string {
  const shown = new Set(fields.map(({ path }) => path.replace(/.*\./, "")));
  const stated = statedFieldsOf(type).filter((name) => shown.has(name));
  const names =
    stated.length === 0
      ? "The published spec names no field of this event's `data`: its fields and their types are guesses from other events"
      : `Of the fields of \`data\`, the published spec names ${stated.map(code).join(", ")}; the others are guesses`;
  return `${names}. A payload that differs is drift: you receive it unchanged, and \`event.drift\` and \`onDrift\` say where it
differs. With \`validation: "strict"\`, a contradiction of the spec is an error, and a difference from a guess is still drift: see
[a payload that differs](../guides/handle-events.md#a-payload-that-differs).`;
}

const PRIOR = "data.previous_attributes";

/** Adds the prior values of a sample whose schema names none: each is a field of the object. */
function withPriorValues(fields: readonly Field[], sample: unknown): Field[] {
  const { data } = sample as { data: { previous_attributes?: Json } };
  const paths = new Set(fields.map(({ path }) => path));
  const added = Object.keys(data.previous_attributes ?? {})
    .filter((name) => !paths.has(`${PRIOR}.${name}`))
    .map((name): Field => {
      const now = fields.find(({ path }) => path === `data.object.${name}`)?.schema;
      const description = `The previous value of \`data.object.${name}\`.`;
      return {
        path: `${PRIOR}.${name}`,
        schema: { ...now, [TYPESCRIPT]: "unknown", description },
        isRequired: false,
      };
    });
  return fields.flatMap((field) => (field.path === PRIOR ? [field, ...added] : [field]));
}

/** Tells whether a sample has a field: `data.object.labels[].id` is in any element of the list. */
function isIn(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (typeof value !== "object" || value === null) return false;
  const name = first.replace(/(\[\])+$/, "");
  if (!Object.hasOwn(value, name)) return false;
  const inner = (value as Json)[name];
  return rest.length === 0 || [inner].flat(2).some((each) => isIn(each, rest));
}

/** Returns the types that the text of an event names, those whose text names it, and others of its family. */
function relatedTo(event: EventDocument, events: readonly EventDocument[]): EventDocument[] {
  const names = (one: EventDocument, other: EventDocument): boolean =>
    `${one.text.description} ${one.text.deprecated}`.includes(`\`${other.type}\``);
  const isNear = (other: EventDocument): boolean => names(event, other) || names(other, event);
  const others = events.filter((other) => other !== event);
  const near = others.filter(isNear);
  const family = others.filter((other) => other.family === event.family && !isNear(other));
  return [...near, ...family].slice(0, Math.max(MOST_RELATED, near.length));
}
