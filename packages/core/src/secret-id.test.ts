import { expect, test } from "vitest";
import { deriveIdKey, isUuid, makeId } from "./secret-id.ts";

const keyOf = (byte: number) =>
  crypto.subtle.importKey("raw", new Uint8Array(32).fill(byte), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
const key = await keyOf(7);

test("an id is a UUID of version 8, which depends on the string, the key and the purpose", async () => {
  const idKey = await deriveIdKey(key, "fieldmesh ids of jobs");
  const id = await makeId(idKey, "evt_1");
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(isUuid(id)).toBe(true);
  expect(await makeId(await deriveIdKey(key, "fieldmesh ids of jobs"), "evt_1")).toBe(id);
  const others = [
    await makeId(idKey, "evt_2"),
    await makeId(await deriveIdKey(key, "fieldmesh ids of deliveries"), "evt_1"),
    await makeId(await deriveIdKey(await keyOf(8), "fieldmesh ids of jobs"), "evt_1"),
  ];
  expect(new Set([id, ...others]).size).toBe(4);
});

test("only the form of a UUID is one", () => {
  for (const other of ["evt_1", "", 7, undefined, "8A0C0000-0000-8000-8000-000000000000 "])
    expect(isUuid(other)).toBe(false);
});
