// Everything that runs need, loaded by the first of them. An error and what checks arguments are loaded before.
export { changeDevices } from "./change-devices.ts";
export { createDevices } from "./create-devices.ts";
