import type { Answer, Service } from "@fieldmesh/http";
import { MapperRejectedError } from "./mapper-rejected-error.js";

const BAD_REQUEST = 400;
const UNPROCESSABLE = 422;
const TOO_MANY_REQUESTS = 429;

/** How the map says no: text, or `{error: text | texts}`. */
export const mapperService: Service = {
  name: "the map",
  readError(answer, meaning) {
    if (answer.status === TOO_MANY_REQUESTS)
      return {
        message: "too many requests",
        advice: "The map takes 60 a minute from one address; a forwarder keeps to that by itself.",
      };
    const reasons = isRefusal(answer.status) ? reasonsOf(answer) : [];
    return {
      message: reasons.length > 0 ? reasons.join("; ") : meaning,
      ...(isRefusal(answer.status) && {
        advice:
          "Ask check(uplink) what is wrong with it; sending the same again gives the same answer.",
      }),
    };
  },
  makeError(facts, init) {
    if (!isRefusal(init.status)) return undefined;
    return new MapperRejectedError(facts, init, reasonsOf({ body: init.body }));
  },
};

function isRefusal(status: number): boolean {
  return status === BAD_REQUEST || status === UNPROCESSABLE;
}

const LONGEST_REASON = 200;

/** Each reason, without numbers and identifiers: a server may repeat what it was sent. `error.body` has all of it. */
function reasonsOf({ body }: Pick<Answer, "body">): string[] {
  return textsOf(body)
    .map((text) =>
      text
        .slice(0, LONGEST_REASON)
        .replace(/-?\d+(\.\d+)?|[0-9a-f]{8,}/gi, "…")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((text) => text !== "");
}

function textsOf(body: string): string[] {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return [error].flat().filter((each) => typeof each === "string");
  } catch {
    // A page of a proxy tells nothing about the uplink.
    return body.trimStart().startsWith("<") ? [] : [body];
  }
}
