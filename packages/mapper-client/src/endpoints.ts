export { mapper } from "./mapper.ts";
