import { bodyFor } from "../parts/label.ts";
import { type Respond, sendJson, serve, serveTwo } from "../parts/origin.ts";
import type { Family, Row } from "../parts/row.ts";
import { tls } from "../parts/tls.ts";
import { KEY } from "../run/canary.ts";

/** Redirects every request. */
function to(location: string, status = 302): Respond {
  return (_, response) => void response.writeHead(status, { location }).end();
}

/** Redirects the first request, and responds to those that follow it. */
function once(location: string, status = 302): Respond {
  return (request, response, number) =>
    number === 1
      ? void response.writeHead(status, { location }).end()
      : sendJson(response, 200, bodyFor(request.method));
}

/** A server whose base URL has a path, and which also has what is beside that path. */
function below(path: string, respond: Respond): Row["world"] {
  return async () => {
    const world = await serve(respond)();
    const end = () => world[Symbol.asyncDispose]();
    return { ...world, url: `${world.url}${path}`, [Symbol.asyncDispose]: end };
  };
}

/** The result if a redirect is not followed. A redirect that repeats the POST did nothing; any other may follow the work. */
function refused(fault: string, world: Row["world"], status = 302): Row {
  const outcome = status === 307 || status === 308 ? "rejected" : "unknown";
  return {
    fault,
    world,
    get: `ApiError ${status} rejected ×1`,
    post: `ApiError ${status} ${outcome} ×1`,
  };
}

export const redirects: Family = {
  title: "Redirects",
  rows: [
    ...[301, 302, 303, 307, 308].map((status) =>
      refused(
        `${status} to another origin`,
        serveTwo((elsewhere) => to(`${elsewhere}/api/v1/labels`, status)),
        status,
      ),
    ),
    ...[301, 302, 303, 307, 308].map((status): Row => ({
      ...refused(`${status} within the base URL`, serve(once("/api/v1/moved", status)), status),
      get: "ok ×2",
    })),
    {
      fault: "a loop",
      world: serve(to("/api/v1/labels")),
      get: "ApiError 302 rejected ×4",
      post: "ApiError 302 unknown ×1",
    },
    {
      fault: "within the base URL first, then to another origin",
      world: serveTwo(
        (elsewhere) => (request, response, number) =>
          to(number === 1 ? "/api/v1/moved" : `${elsewhere}/`)(request, response, number),
      ),
      get: "ApiError 302 rejected ×2",
      post: "ApiError 302 unknown ×1",
    },
    {
      fault: "from https to http at the same host",
      nodeOnly: true,
      world: tls({
        respond: (request, response, number) =>
          to(`http://${request.headers.host}/api/v1/labels`)(request, response, number),
      }),
      get: "ApiError 302 rejected ×1",
      post: "ApiError 302 unknown ×1",
    },
    refused(
      "with a user name and a password",
      serve((request, response, number) =>
        to(`http://user:pass@${request.headers.host}/api/v1/labels`)(request, response, number),
      ),
    ),
    refused(
      "to another origin, by a URL without a scheme",
      serveTwo((elsewhere) => to(elsewhere.replace("http:", ""))),
    ),
    refused(
      "to a host name that ends in the original one",
      serve((request, response, number) =>
        to(`http://evil-${request.headers.host}/`)(request, response, number),
      ),
    ),
    refused(
      "without a Location",
      serve((_, response) => void response.writeHead(302).end()),
    ),
    refused("to an invalid URL", serve(to("http://[:::"))),
    refused("to a file: URL", serve(to("file:///etc/passwd"))),
    refused("to a data: URL", serve(to("data:application/json,[]"))),
    refused(
      "to a Location that contains the key",
      serve(to(`https://elsewhere.example/?key=${KEY}`)),
    ),
    ...["/admin/labels", "/api/v1/labels", "/console-of-others/api/v1/labels", "/console"].map(
      (location) =>
        refused(
          `out of the base URL /console, to ${location} of the same origin`,
          below("/console", once(location)),
        ),
    ),
    refused(
      "out of the base URL /console by dots",
      below("/console", once("/console/../admin/labels")),
    ),
    {
      ...refused("within the base URL /console", below("/console", once("/console/api/v2/labels"))),
      get: "ok ×2",
    },
    refused("out of the path by an encoded slash", serve(to("/api/..%2f..%2fadmin"))),
    refused("to a path of 8 KB", serve(to(`https://elsewhere.example/${"a".repeat(8_000)}`))),
    refused("300 Multiple Choices", serve(to("/api/v1/moved", 300)), 300),
    refused(
      "304, although the request was not conditional",
      serve((_, response) => void response.writeHead(304).end()),
      304,
    ),
  ],
};
