export { devices } from "./devices.ts";
export { flows } from "./flows.ts";
export { integrations } from "./integrations.ts";
export { labels } from "./labels.ts";
export { organization } from "./organization.ts";
