import { testCatchUp } from "./test-catch-up.ts";

await testCatchUp(10_000);
