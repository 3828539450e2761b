export { isSecret, revealText, Secret } from "./secret.js";
export { FieldmeshError, isFieldmeshError } from "./error.js";
export { createVirtualClock, systemClock, type Clock, type VirtualClock } from "./clock.js";
