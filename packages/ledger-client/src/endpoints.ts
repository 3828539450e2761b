export { accounts } from "./accounts.ts";
export { blocks } from "./blocks.ts";
export { locations } from "./locations.ts";
export { vars } from "./vars.ts";
