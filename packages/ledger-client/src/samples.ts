// The examples of the endpoints. The sandbox, the docs and the tests read them; a client does not load them.
export { accounts } from "./samples/accounts.ts";
export { blocks } from "./samples/blocks.ts";
export { locations } from "./samples/locations.ts";
export { vars } from "./samples/vars.ts";
