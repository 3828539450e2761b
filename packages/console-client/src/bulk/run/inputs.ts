import { type Clock, ENDED } from "@fieldmesh/core/internal";
import { CallersError } from "./bulk-error.ts";

/** The inputs of a run, in any number. */
export type Inputs = Iterable<unknown> | AsyncIterable<unknown>;

/** The inputs of the caller while a run reads them. */
export interface OpenInputs extends AsyncIterableIterator<unknown> {
  /** Tells the source that the run reads no more. Waits until it has closed, unless it is waiting for its next input. */
  close(): Promise<void>;
}

/** Milliseconds in which a source may close, for example a file. The run has ended then. */
const CLOSING_TIME = 1_000;

/** Opens the inputs of a run. A source may take any time for its next input, and the end of the run does not wait for it. */
export function openInputs(inputs: Inputs, clock: Clock): OpenInputs {
  let iterator: Iterator<unknown> | AsyncIterator<unknown> | undefined;
  let isReading = false;
  let isRead = false;
  return {
    async next() {
      isReading = true;
      try {
        iterator ??=
          Symbol.asyncIterator in inputs
            ? inputs[Symbol.asyncIterator]()
            : inputs[Symbol.iterator]();
        const { done, value } = await iterator.next();
        isRead = done === true;
        // An array may contain promises.
        return isRead ? { done: true, value: undefined } : { value: await value };
      } catch (error) {
        isRead = true;
        throw new CallersError("the input", error);
      } finally {
        isReading = false;
      }
    },
    async close() {
      if (isRead || iterator?.return === undefined) return;
      isRead = true;
      const closed = Promise.resolve()
        .then(async () => void (await iterator?.return?.()))
        .catch(() => undefined);
      if (isReading) return;
      const isOver = new AbortController();
      const late = clock.sleep(CLOSING_TIME, isOver.signal).catch(() => undefined);
      await Promise.race([closed, late]);
      isOver.abort(ENDED);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
