// Everything that runs need, loaded by the first of them. An error and what checks arguments are loaded before.
// Why it is so: docs/decisions/33-large-features-load-on-first-use.md
export { changeDevices } from "./change/change-many-run.ts";
export { createDevices } from "./create/create-many-run.ts";
