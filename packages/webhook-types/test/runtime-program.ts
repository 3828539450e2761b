import { allVectors, outcomesOf } from "./vectors.js";

/** Runs every vector, for a runtime that has no test runner: gives what went wrong. */
export async function failures(): Promise<string[]> {
  const all = await Promise.all(
    allVectors.map(async (vector) => {
      const outcomes = await outcomesOf(vector);
      const isRight = outcomes.every(
        (each) => JSON.stringify(each) === JSON.stringify(vector.expect),
      );
      return isRight ? [] : [`${vector.name}: ${JSON.stringify(outcomes)}`];
    }),
  );
  return all.flat();
}
