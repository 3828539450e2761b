import { testCatchUp } from "./test-catch-up.ts";

await testCatchUp(2_000);
