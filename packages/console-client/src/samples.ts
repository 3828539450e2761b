// The examples of the endpoints. The sandbox, the docs and the tests read them; a client does not load them.
export { devices } from "./samples/devices.ts";
export { flows } from "./samples/flows.ts";
export { integrations } from "./samples/integrations.ts";
export { labels } from "./samples/labels.ts";
export { organization } from "./samples/organization.ts";
