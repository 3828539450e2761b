// The examples of the endpoints. The sandbox, the docs and the tests read them; a client does not load them.
export { mapper } from "./samples/mapper.ts";
