export {
  createEventParser,
  parseEvent,
  type EventParser,
  type ObjectSchemas,
  type ParsedMap,
  type ParseEventOptions,
} from "./parse-event.js";
export { eventSchema, redactEvent } from "./event-schema.js";
export { EventParseError, isEventParseError, type EventProblem } from "./event-parse-error.js";
