export { mapper } from "./mapper.js";
