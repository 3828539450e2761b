// The same properties with more random plans.
export {};
process.env["RUNS"] ??= "100";
await import("./bulk.properties.test.ts");
