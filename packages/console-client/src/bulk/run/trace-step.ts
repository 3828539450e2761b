import { chunkChannel, trace, type ChunkMessage } from "@fieldmesh/core/internal";

/** Runs a step with some inputs, and publishes it to `fieldmesh:chunk`. */
export type TraceStep = <T>(
  step: ChunkMessage["step"],
  size: number,
  work: () => Promise<T>,
) => Promise<T>;

/** Creates the function that publishes the steps of one run. */
export function createTraceStep(call: string): TraceStep {
  let run: object | undefined;
  return (step, size, work) =>
    trace(chunkChannel, work, { start: () => ({ call, run: (run ??= {}), step, size }) });
}
