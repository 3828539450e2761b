// What only our own packages need: not covered by semver. A part of its own, because few programs read a list record by record.
export { eachRecord } from "./client/each-record.ts";
