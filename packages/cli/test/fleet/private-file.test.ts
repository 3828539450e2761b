import { expect, test } from "vitest";
import { readUserFile, writePrivateFile } from "../../src/fleet/files/private-file.ts";
import { errorOf, folder } from "./fleet-context.ts";

test.for<[string, string, string]>([
  ["no/such.age", "there is no such file or folder", "there is no such file or folder"],
  ["file/fleet.age", "a part of its path is not a folder", "a part of its path is not a folder"],
])("%s is a mistake of the command line, to write and to read", async ([name, write, read]) => {
  const files = folder();
  files.write("file", "");
  const path = files.at(name);
  expect(await errorOf(writePrivateFile(path, "x"))).toMatchObject({
    message: `${path} could not be written: ${write}.`,
    exitCode: 2,
  });
  expect(await errorOf(readUserFile(path))).toMatchObject({
    message: `${path} could not be read: ${read}.`,
    exitCode: 2,
  });
});
