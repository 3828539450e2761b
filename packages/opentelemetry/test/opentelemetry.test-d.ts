import type { MeterProvider, TracerProvider } from "@opentelemetry/api";
import { expectTypeOf, test } from "vitest";
import { traceFieldmesh, type TraceFieldmeshOptions } from "../src/index.ts";

test("traceFieldmesh requires no options, and returns a function that stops it", () => {
  expectTypeOf(traceFieldmesh).toBeCallableWith();
  expectTypeOf(traceFieldmesh).returns.toEqualTypeOf<() => void>();
});

test("traceFieldmesh accepts the providers of the API as options", () => {
  expectTypeOf<TraceFieldmeshOptions>().toEqualTypeOf<{
    tracerProvider?: TracerProvider | undefined;
    meterProvider?: MeterProvider | undefined;
    propagate?: boolean | undefined;
  }>();
  // @ts-expect-error -- a misspelled option
  expectTypeOf(traceFieldmesh).toBeCallableWith({ propagat: true });
});
