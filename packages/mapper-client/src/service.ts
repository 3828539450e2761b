import { readRecord } from "@fieldmesh/core";
import type { RawResponse, Service, ShowText } from "@fieldmesh/http";
import { MapperRejectedError } from "./mapper-rejected-error.ts";

const BAD_REQUEST = 400;
const UNPROCESSABLE = 422;
const TOO_MANY_REQUESTS = 429;

/** Error bodies of the map are text, or `{error: text | texts}`. */
export const mapperService: Service = {
  name: "the map",
  readError(response, meaning, show) {
    if (response.status === TOO_MANY_REQUESTS)
      return {
        message: "too many requests",
        advice:
          "The map accepts 60 a minute from one address (observed); a forwarder keeps to that limit.",
      };
    const reasons = reasonsOf(response, show).filter((reason) => reason !== OTHER);
    return {
      message: isRejection(response.status) && reasons.length > 0 ? reasons.join("; ") : meaning,
      ...(isRejection(response.status) && {
        advice: "Call check(uplink) to find out what is wrong: the same request would fail again.",
      }),
    };
  },
  makeError(facts, init, show) {
    if (!isRejection(init.status)) return undefined;
    return new MapperRejectedError(facts, init, reasonsOf({ body: init.body }, show));
  },
};

function isRejection(status: number): boolean {
  return status === BAD_REQUEST || status === UNPROCESSABLE;
}

/** Words about a field of ours that hold no value; anything else may repeat what was sent. */
const REASON =
  /^"?(latitude|longitude|altitude|accuracy|hotspots|reported_at|decoded|payload|object|rxInfo)\b[\sa-z_.,"'-]{0,120}$/i;
const OTHER = "a reason that may repeat the uplink: see error.body";

/** Each reason of the map, as far as it may be shown. */
function reasonsOf({ body }: Pick<RawResponse, "body">, show: ShowText): string[] {
  return textsOf(body).map((text) => (REASON.test(text) ? show(text) : undefined) ?? OTHER);
}

function textsOf(body: string): string[] {
  // No reason is in the published spec, nor in the page of a proxy.
  return [readRecord(body)["error"]].flat().filter((each) => typeof each === "string");
}
