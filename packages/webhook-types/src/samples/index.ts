export { sampleEvent, type Overrides } from "./sample-event.ts";
