import type { MeterProvider, TracerProvider } from "@opentelemetry/api";
import { expectTypeOf, test } from "vitest";
import { traceFieldmesh, type TraceFieldmeshOptions } from "../src/index.ts";

test("traceFieldmesh needs no option, and returns what stops it", () => {
  expectTypeOf(traceFieldmesh).toBeCallableWith();
  expectTypeOf(traceFieldmesh).returns.toEqualTypeOf<() => void>();
});

test("its options are the providers of the API", () => {
  expectTypeOf<TraceFieldmeshOptions>().toEqualTypeOf<{
    tracerProvider?: TracerProvider | undefined;
    meterProvider?: MeterProvider | undefined;
    propagate?: boolean | undefined;
  }>();
  // @ts-expect-error -- a misspelled option
  expectTypeOf(traceFieldmesh).toBeCallableWith({ propagat: true });
});
