export {
  createEventParser,
  parseEvent,
  type EventParser,
  type ObjectSchemas,
  type ParsedMap,
  type ParseEventOptions,
} from "./parse-event.ts";
export { eventSchema, redactEvent } from "./event-schema.ts";
export { EventParseError, isEventParseError, type EventProblem } from "./event-parse-error.ts";
