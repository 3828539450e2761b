export { accounts } from "./accounts.js";
export { blocks } from "./blocks.js";
export { locations } from "./locations.js";
export { vars } from "./vars.js";
