/** The reason of a signal whose work has ended. `abort()` without a reason would create an error with a stack each time. */
export const ENDED: Error = /* @__PURE__ */ Object.defineProperty(
  new Error("This operation was aborted"),
  "name",
  { value: "AbortError" },
);
