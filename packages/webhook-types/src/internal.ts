// What only our own packages need: not covered by semver. Do not import it, because any release may change it.
export { isAhead } from "./events/event-time.ts";
export { secretFields } from "./events/generated/hidden-fields.ts";
export { familyOf } from "./events/pattern.ts";
export type { DeclaredName, FieldOf } from "./events/field-of.ts";
export type { CheckedNames } from "./router/checked-names.ts";
export type { WithObject } from "./parse/parse-event.ts";
export type { DeliveryResult } from "./receiver/report-delivery.ts";
