import { keepPlace } from "../errors/caller-place.ts";

/** Runs `step` for one call of `next` after the other. Adds the places of their caller and of that of `method` to an error. */
export function inTurn<R>(
  method: object,
  step: () => Promise<R>,
): { readonly next: () => Promise<R>; readonly isIdle: () => boolean } {
  const withPlace = keepPlace(method, run);
  let last: Promise<R> | undefined;
  let inProgress = 0;

  async function run(before: Promise<R> | undefined): Promise<R> {
    inProgress++;
    try {
      // Its failure is that of another call.
      await before?.catch(() => undefined);
      return await step();
    } catch (error) {
      const placed = withPlace(error);
      // A caller that no longer waits must not end the process. Not before, because the engine finds only a single one that waits.
      last?.catch(() => undefined);
      throw placed;
    } finally {
      if (--inProgress === 0) last = undefined;
    }
  }

  return { next: () => (last = run(last)), isIdle: () => inProgress === 0 };
}
