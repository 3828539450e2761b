import { expect, test } from "vitest";
import { checkRuntime } from "../src/runtime.ts";

test.for(["22.12.0", "22.20.1", "23.0.0", "24.21.0", "26.0.0", undefined])(
  "runs on Node %s",
  (version) => {
    expect(() => checkRuntime(version)).not.toThrow();
  },
);

test.for(["18.20.0", "20.20.2", "22.11.0"])("refuses Node %s in a sentence", (version) => {
  expect(() => checkRuntime(version)).toThrow(
    `fieldmesh needs Node 22.12 or later, and this is Node ${version}.`,
  );
});
