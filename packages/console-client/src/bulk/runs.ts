// Everything that runs need, in one part that the first of them loads: two parts would make the client larger before its first call.
// Why it is so: docs/decisions/33-large-features-load-on-first-use.md
export { changeDevices } from "./change/change-many-run.ts";
export { createDevices } from "./create/create-many-run.ts";
