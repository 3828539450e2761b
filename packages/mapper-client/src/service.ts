import { readRecord } from "@fieldmesh/core/internal";
import { STATUS, type RawResponse, type Service, type ShowText } from "@fieldmesh/http/internal";
import { MapperRejectedError } from "./mapper-rejected-error.ts";

/** Error bodies of the map are a string, or `{error: string | strings}`. */
export const mapperService: Service = {
  name: "the map",
  readError(response, meaning, show) {
    if (response.status === STATUS.tooManyRequests)
      return {
        message: "too many requests",
        advice:
          "The map accepts 60 uplinks per minute from one IP address (observed). A forwarder stays within that limit.",
      };
    const reasons = reasonsOf(response, show).filter((reason) => reason !== OTHER);
    return {
      message: isRejection(response.status) && reasons.length > 0 ? reasons.join("; ") : meaning,
      ...(isRejection(response.status) && {
        advice: "Call check(uplink) to find out what is wrong: the same request would fail again.",
      }),
    };
  },
  makeError(context, init, show) {
    if (!isRejection(init.status)) return undefined;
    return new MapperRejectedError(context, init, reasonsOf({ body: init.body }, show));
  },
};

function isRejection(status: number): boolean {
  return status === STATUS.badRequest || status === STATUS.unprocessable;
}

/** A reason about one of our fields that contains no value. Anything else may repeat the input. */
const REASON =
  /^"?(latitude|longitude|altitude|accuracy|hotspots|reported_at|decoded|payload|object|rxInfo)\b[\sa-z_.,"'-]{0,120}$/i;
const OTHER = "a reason that may repeat the uplink: see error.body";

/** Returns each reason of the map in a form that may be shown. */
function reasonsOf({ body }: Pick<RawResponse, "body">, show: ShowText): string[] {
  return textsOf(body).map((text) => (REASON.test(text) ? show(text) : undefined) ?? OTHER);
}

function textsOf(body: string): string[] {
  // Neither the published spec nor the page of a proxy has reasons.
  return [readRecord(body)["error"]].flat().filter((each) => typeof each === "string");
}
