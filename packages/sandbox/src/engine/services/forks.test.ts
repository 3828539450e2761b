import { expect, test } from "vitest";
import { createForks } from "./forks.ts";

const ORIGIN = "http://127.0.0.1:4010";

/** A list of one fork, which responds with the URL that it sees. */
function open() {
  const forks = createForks();
  const stopped: string[] = [];
  const add = (name: string) =>
    forks.add({
      handler: async ({ url, method }) => new Response(`${method} ${url}`),
      stop: () => void stopped.push(name),
    });
  const get = async (path: string) => {
    const response = await forks.handle(new Request(ORIGIN + path, { method: "POST" }));
    return response && [response.status, await response.text()];
  };
  return { forks, stopped, add, get };
}

test("a fork has a path of its own, and sees the rest of it", async () => {
  const { add, get } = open();
  expect([add("a"), add("b")]).toEqual(["1", "2"]);
  expect(await get("/forks/2/console/api/v1/labels?name=x")).toEqual([
    200,
    `POST ${ORIGIN}/console/api/v1/labels?name=x`,
  ]);
  expect(await get("/forks/1/forks/1/sandbox")).toEqual([200, `POST ${ORIGIN}/forks/1/sandbox`]);
  expect(await get("/forks/1")).toEqual([200, `POST ${ORIGIN}/`]);
});

test("a path cannot lead to another host", async () => {
  const { add, get } = open();
  add("a");
  expect(await get("/forks/1//elsewhere.test/x")).toEqual([
    200,
    `POST ${ORIGIN}//elsewhere.test/x`,
  ]);
});

test("a path outside of forks is none of theirs, and one of an unknown fork is not found", async () => {
  const { add, get } = open();
  add("a");
  for (const path of ["/", "/forks", "/spoons/1/", "/console/forks/1"])
    expect([path, await get(path)]).toEqual([path, undefined]);
  expect(await get("/forks/2/console")).toEqual([404, "Not Found"]);
  expect(await get("/forks/")).toEqual([404, "Not Found"]);
});

test("a fork is stopped when it is removed, or with all others", async () => {
  const { forks, stopped, add, get } = open();
  for (const name of ["a", "b", "c"]) add(name);
  forks.remove("2");
  expect([stopped, forks.ids]).toEqual([["b"], ["1", "3"]]);
  expect(await get("/forks/2/console")).toEqual([404, "Not Found"]);
  expect(() => forks.remove("2")).toThrow(new TypeError("There is no fork 2."));
  forks.stop();
  expect(stopped).toEqual(["b", "a", "c"]);
});
