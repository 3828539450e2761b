export { sampleEvent, type Overrides } from "./sample-event.ts";
export { testContext } from "./test-context.ts";
