import { testStopped } from "./stopped.ts";

// Twice as long as the lease. The release tier stops the process for a minute.
await testStopped(3_000);
