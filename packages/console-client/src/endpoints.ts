export { devices } from "./devices.js";
export { labels } from "./labels.js";
export { organization } from "./organization.js";
