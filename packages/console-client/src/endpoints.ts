export { devices } from "./devices.js";
export { flows } from "./flows.js";
export { integrations } from "./integrations.js";
export { labels } from "./labels.js";
export { organization } from "./organization.js";
