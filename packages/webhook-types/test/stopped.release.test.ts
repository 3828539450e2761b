import { testStopped } from "./stopped.ts";

await testStopped(60_000);
