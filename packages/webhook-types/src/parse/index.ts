export {
  createEventParser,
  parseEvent,
  type EventParser,
  type ObjectSchemas,
  type ParsedMap,
  type ParseEventOptions,
  type ValidationOptions,
} from "./parse-event.ts";
export { eventSchema } from "./event-schema.ts";
export { redactEvent } from "./redact-event.ts";
export type { EventDrift } from "./event-drift.ts";
export { EventParseError } from "./event-parse-error.ts";
export type { EventProblem } from "../events/envelope.ts";
