// Why it is so: docs/decisions/17-unknown-event-types.md
import * as z from "@fieldmesh/core/internal/zod";
import {
  anything,
  checkValidation,
  defaultValidation,
  firstProblems,
  type InferSchema,
  hideAdded,
  isOurs,
  isPromise,
  isRecord,
  mistake,
  options,
  type OptionTable,
  readInput,
  recordOf,
  requires,
  type Schema,
  UNREADABLE,
  type Validation,
} from "@fieldmesh/core/internal";
import {
  compiled,
  countRecords,
  decodeLeniently,
  driftOf,
  hideNamed,
  isDrift,
  limited,
} from "@fieldmesh/core/internal/schema";
import { didYouMean } from "../events/show-name.ts";
import type { EventEnvelope, UnknownEvent } from "../events/envelope.ts";
import { eventTypes } from "../events/event-types.ts";
import type {
  EventMap,
  EventType,
  WebhookEvent,
  StoredWebhookEvent,
} from "../events/webhook-event.ts";
import { markStored, type EventSource } from "../events/source.ts";
import { reportDrift, type EventDrift } from "./event-drift.ts";
import { EventParseError, problemOf } from "./event-parse-error.ts";
import { isKnownType, schemaOf } from "./event-schema.ts";
import { deliveredDrift } from "./delivered.ts";
import { readJson } from "./read-json.ts";
import { namesIn } from "./codes.ts";

/** How to treat an event whose payload does not fit its type. */
export interface ValidationOptions {
  /**
   * - `"warn"`: returns the payload unchanged. `event.drift` and `onDrift` say where it differs. An envelope that does not fit is
   *   an error.
   * - `"strict"`: does the same for a difference from a guess of this package, and for a field of which the published spec states
   *   no place. Any other difference from the spec is an error.
   * - `"off"`: returns the event unchanged and reports nothing. It only requires `id`, `type` and `data`.
   *
   * Codes are Secrets in every mode.
   *
   * @default "warn", or the mode that `setDefaultValidation` has set for the process
   */
  readonly validation?: Validation | undefined;
  /** Receives where an event has drifted. @default console.warn, once for each type and place */
  readonly onDrift?: ((drift: EventDrift) => void) | undefined;
}

/** Options of {@link parseEvent}. */
export interface ParseEventOptions extends ValidationOptions {
  /** Set `"store"` for an event from `/events`. `sourceOf` then returns it. @default "webhook" */
  readonly source?: EventSource | undefined;
}

const parserTable: OptionTable<ParseEventOptions> = {
  validation: checkValidation,
  onDrift: anything,
  source: anything,
};
const readOptions = /* @__PURE__ */ options("parseEvent", parserTable);
const readDefaults = /* @__PURE__ */ options("createEventParser", parserTable);

/**
 * Parses the body of a verified message, or a value that is already parsed.
 *
 * Returns a typed event for a type that this version knows, and an {@link UnknownEvent} for any other. Undeclared fields are
 * kept, and integers that a number cannot represent become a `bigint`. A payload that differs from its type is returned
 * unchanged, and `event.drift` says where it differs; the option `validation` changes that. Throws an EventParseError, which
 * contains nothing of the payload, for a value that is not an event. With the source `store`, the type of the event declares what
 * stored events lack.
 *
 * @example
 * ```ts
 * const event = parseEvent(body);
 * if (isKnownEvent(event) && event.type === "sim.activated") console.log(event.data.object.subscriber_id);
 * ```
 */
export function parseEvent(
  body: unknown,
  options: ParseEventOptions & { source: "store" },
): StoredWebhookEvent | UnknownEvent;
export function parseEvent(body: unknown, options?: ParseEventOptions): WebhookEvent | UnknownEvent;
export function parseEvent(body: unknown, given?: ParseEventOptions): WebhookEvent | UnknownEvent {
  return parse(body, given, undefined) as WebhookEvent | UnknownEvent;
}

/** Parses a sample. Only a form is an error that contradicts the spec: a test may need an event that says anything. */
export function parseSample(wire: unknown): EventEnvelope {
  return parse(wire, { validation: "strict", onDrift: () => {} }, undefined, true);
}

/** Your own schemas of the `data.object` of some types, from any library that follows Standard Schema. */
export type ObjectSchemas = { readonly [Type in EventType]?: Schema };

/** Events by type, as a parser with your schemas returns them: `createEventRouter<ParsedMap<typeof schemas>>`. */
export type ParsedMap<Schemas extends ObjectSchemas> = {
  [Type in keyof EventMap]: Type extends keyof Schemas
    ? WithObject<EventMap[Type], InferSchema<Schemas[Type] & Schema>>
    : EventMap[Type];
};

export type WithObject<Event extends EventEnvelope, Snapshot> = Omit<Event, "data"> & {
  data: { [Key in keyof Event["data"]]: Key extends "object" ? Snapshot : Event["data"][Key] };
};

/** Like {@link parseEvent}, with the schemas that the parser was created with. */
export type EventParser<Schemas extends ObjectSchemas> = (
  body: unknown,
  options?: ParseEventOptions,
) => ParsedMap<Schemas>[EventType] | UnknownEvent;

/**
 * Creates a `parseEvent` that checks and types the `data.object` of some types with your own schemas.
 *
 * Your schema replaces the built-in one for that object. It receives the object unchanged, except that each code is a Secret. It
 * must be synchronous. A value that it rejects throws an EventParseError in every mode of `validation`. Its messages are not
 * shown, because they may quote the payload.
 *
 * @example
 * ```ts
 * const parse = createEventParser({ "plan.created": z.object({ id: z.string(), price_cents: z.int() }) });
 * ```
 */
export function createEventParser<const Schemas extends ObjectSchemas>(
  schemas: Schemas,
  defaults: ValidationOptions = {},
): EventParser<Schemas> {
  const own = readDefaults(defaults);
  readInput("The argument of createEventParser", () => checkSchemas(schemas));
  const schemasByType = new Map(Object.entries<Schema | undefined>(schemas));
  return (body, given) => {
    const all = readInput("The argument of the parser", () => ({ ...own, ...given }));
    // Both schemas have validated it.
    return parse(body, all, schemasByType) as ParsedMap<Schemas>[EventType] | UnknownEvent;
  };
}

function checkSchemas(schemas: ObjectSchemas): void {
  if (!isRecord(schemas))
    throw requires("createEventParser", "an object of options, schemas by type", schemas);
  for (const type of Object.keys(schemas))
    if (!isKnownType(type))
      throw mistake(
        `createEventParser: "${type}" is not an event type, so its schema would never be used.${didYouMean(type, eventTypes)}`,
      );
}

function parse(
  body: unknown,
  given: ParseEventOptions | undefined,
  schemas: ReadonlyMap<string, Schema | undefined> | undefined,
  isSample = false,
): EventEnvelope {
  const own = readOptions(given);
  try {
    const value = readJson(body);
    const type = typeOf(value);
    const ownSchema = schemas?.get(type);
    // Also around the schema, which its first event creates.
    const event = hideAdded(() =>
      readEvent(type, value, own, { hasOwnSchema: ownSchema !== undefined, isSample }),
    );
    if (ownSchema !== undefined) {
      const { object } = recordOf(recordOf(value)["data"]);
      event.data["object"] = applySchema(ownSchema, event.type, object);
    }
    if (own.source === "store") markStored(event);
    return event;
  } catch (error) {
    if (isOurs(error)) throw error;
    throw new EventParseError(undefined, [{ path: "", message: UNREADABLE }]);
  }
}

const LONGEST_ID = 500;
const NO_ID = { path: "id", message: `expected 1 to ${LONGEST_ID} characters` };

/**
 * Whether every store can distinguish this id from all others. Empty ids are all equal, and a lone surrogate becomes a
 * replacement character when it is encoded, so a second such event would be dropped. PostgreSQL rejects NUL, and ids that are too
 * long for its index.
 */
function isDistinct(id: string): boolean {
  return id.length > 0 && id.length <= LONGEST_ID && !id.includes("\0") && id.isWellFormed();
}

function readEvent(
  type: string,
  value: unknown,
  { validation: mode = defaultValidation("warn"), onDrift, source }: ParseEventOptions,
  { hasOwnSchema, isSample }: { readonly hasOwnSchema: boolean; readonly isSample: boolean },
): EventEnvelope {
  const schema = schemaOf(type);
  void countRecords(1);
  const result = z.safeParse(compiled(limited(schema)), value);
  const found = result.error?.issues ?? [];
  const issues = [
    ...found,
    ...(mode === "off" ? [] : deliveredDrift(type, recordOf(value)["data"], source, found)),
  ].filter(({ path }) => !(hasOwnSchema && path[0] === "data" && path[1] === "object"));
  const errors = issues.filter(
    (issue) => isError(issue, schema, mode) && !(isSample && driftOf(issue) !== undefined),
  );
  if (errors.length > 0)
    throw new EventParseError(knownType(type), firstProblems(errors.map(problemOf)));
  const decoded = result.success ? result.data : decodeLeniently(schema, value);
  // It copies what it changes, so the event is marked afterwards.
  const event = hideNamed(schema, decoded, namesIn(type)) as EventEnvelope;
  if (!isDistinct(event.id)) throw new EventParseError(knownType(type), [NO_ID]);
  if (issues.length > 0 && mode !== "off")
    reportDrift(event, firstProblems(issues.map(problemOf)), onDrift);
  return event;
}

/** The parts of an event that stores, routers and handlers need. */
const ESSENTIAL: ReadonlySet<unknown> = new Set(["id", "type", "data", undefined]);

function isError(issue: z.core.$ZodIssue, schema: z.core.$ZodType, mode: Validation): boolean {
  const drift = driftOf(issue);
  if (drift !== undefined) return drift === "unless-strict" && mode === "strict";
  const [field, ...rest] = issue.path;
  const isEnvelope = field !== "data" || rest.length === 0;
  if (mode === "off") return isEnvelope && ESSENTIAL.has(field);
  return isEnvelope || (mode === "strict" && !isDrift(schema, issue));
}

function knownType(type: string): EventType | undefined {
  return isKnownType(type) ? type : undefined;
}

function typeOf(value: unknown): string {
  const { type } = recordOf(value);
  return typeof type === "string" ? type : "";
}

/** A schema of the user receives what was sent, and what it returns is not changed. */
function applySchema(schema: Schema, type: string, object: unknown): unknown {
  const result = schema["~standard"].validate(object);
  if (isPromise(result)) {
    // zod also returns a promise if a check throws. Its error may quote the payload, and nobody else waits for it.
    result.catch(() => {});
    throw mistake(
      `The schema for ${type} is asynchronous, or a check of it has thrown. Parsing needs a synchronous schema whose checks throw nothing.`,
    );
  }
  if (result.issues === undefined) return result.value;
  throw new EventParseError(knownType(type), [
    { path: "data.object", message: "does not fit the schema that you passed for it" },
  ]);
}
