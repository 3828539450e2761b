// What only our own packages need of the receiver: not covered by semver. Apart, because its parts load schemas.
export { handleFrom } from "./receiver/handle-event.ts";
export type { EventOrigin } from "./receiver/handle-event-options.ts";
