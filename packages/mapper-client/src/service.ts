import { readRecord } from "@fieldmesh/core";
import type { RawResponse, Service } from "@fieldmesh/http";
import { MapperRejectedError } from "./mapper-rejected-error.ts";

const BAD_REQUEST = 400;
const UNPROCESSABLE = 422;
const TOO_MANY_REQUESTS = 429;

/** Error bodies of the map are text, or `{error: text | texts}`. */
export const mapperService: Service = {
  name: "the map",
  readError(answer, meaning) {
    if (answer.status === TOO_MANY_REQUESTS)
      return {
        message: "too many requests",
        advice: "The map takes 60 a minute from one address; a forwarder keeps to that by itself.",
      };
    const reasons = reasonsOf(answer).filter((reason) => reason !== OTHER);
    return {
      message: isRefusal(answer.status) && reasons.length > 0 ? reasons.join("; ") : meaning,
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

/** Words about a field of ours that hold no value; anything else may repeat what was sent. */
const REASON =
  /^"?(latitude|longitude|altitude|accuracy|hotspots|reported_at|decoded|payload|object|rxInfo)\b[\sa-z_.,"'-]{0,120}$/i;
const OTHER = "a reason that may repeat the uplink: see error.body";

/** Each reason of the map, as far as it may be shown. */
function reasonsOf({ body }: Pick<RawResponse, "body">): string[] {
  return textsOf(body).map((text) => (REASON.test(text) ? text : OTHER));
}

function textsOf(body: string): string[] {
  // No reason is in the text of the published spec, nor in the page of a proxy.
  return [readRecord(body)["error"]].flat().filter((each) => typeof each === "string");
}
