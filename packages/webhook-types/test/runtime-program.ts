import { eventTypes, sign } from "../src/index.ts";
import { EventParseError, parseEvent } from "../src/parse/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { allVectors, outcomesOf } from "./vectors.ts";

/** Runs every vector and parses every type, for a runtime without a test runner. Returns the failures. */
export async function failures(): Promise<string[]> {
  const vectors = await Promise.all(
    allVectors.map(async (vector) => {
      const outcomes = await outcomesOf(vector);
      const isRight = outcomes.every(
        (each) => JSON.stringify(each) === JSON.stringify(vector.expect),
      );
      return isRight ? [] : [`${vector.name}: ${JSON.stringify(outcomes)}`];
    }),
  );
  const { "platform-signature": header = "" } = await sign({ secret: "s", body: "", timestamp: 1 });
  const signed = /^t=1,v1=[0-9a-f]{64}$/.test(header) ? [] : [`sign gives ${header}`];
  return [...vectors.flat(), ...signed, ...eventTypes.flatMap(parsingFailures)];
}

function parsingFailures(type: (typeof eventTypes)[number]): string[] {
  const event = sampleEvent(type);
  if (event.type !== type) return [`${type} is parsed as ${event.type}`];
  try {
    parseEvent({ ...event, data: 1 });
    return [`${type} without data is accepted`];
  } catch (error) {
    return error instanceof EventParseError ? [] : [`${type}: ${String(error)}`];
  }
}
