import { expect, test } from "vitest";
import { decryptText, encryptText, newestKey, readKeys } from "./encrypt-text.ts";

const keyOf = (usages: ("encrypt" | "decrypt")[], name = "AES-GCM") =>
  crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), name, false, usages);
const key = await keyOf(["encrypt", "decrypt"]);

test("a string is decrypted under its name, and every encryption has another IV", async () => {
  const one = await encryptText(key, "evt_1", "ä\u0000{}");
  expect(one).toMatch(/^[\da-f]+$/);
  expect(await encryptText(key, "evt_1", "ä\u0000{}")).not.toBe(one);
  expect(await decryptText(key, "evt_1", one)).toBe("ä\u0000{}");
});

test("another name, another key or a changed digit is rejected", async () => {
  const text = await encryptText(key, "evt_1", "493817");
  const other = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  const changed = text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
  await expect(decryptText(key, "evt_2", text)).rejects.toBeInstanceOf(Error);
  await expect(decryptText(other, "evt_1", text)).rejects.toBeInstanceOf(Error);
  await expect(decryptText(key, "evt_1", changed)).rejects.toBeInstanceOf(Error);
  await expect(decryptText(key, "evt_1", "")).rejects.toBeInstanceOf(Error);
});

test("of several keys, the first one encrypts, and all decrypt", async () => {
  const newer = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  const keys = [newer, key];
  expect([newestKey(keys), newestKey(key)]).toEqual([newer, key]);
  expect(await decryptText(keys, "evt_1", await encryptText(key, "evt_1", "before"))).toBe(
    "before",
  );
  const after = await encryptText(keys, "evt_1", "after");
  expect(await decryptText(newer, "evt_1", after)).toBe("after");
  await expect(decryptText(key, "evt_1", after)).rejects.toBeInstanceOf(Error);
});

test("only keys of AES-GCM that encrypt and decrypt are read, as a list", async () => {
  expect(readKeys(key, "key", "it")).toEqual([key]);
  expect(readKeys([key, key], "key", "it")).toEqual([key, key]);
  for (const other of [
    await keyOf(["encrypt"]),
    await keyOf(["decrypt"]),
    await keyOf(["encrypt", "decrypt"], "AES-CBC"),
    "key",
    {},
    undefined,
  ])
    for (const given of [other, [key, other]])
      expect(() => readKeys(given, "key", "it")).toThrow(TypeError);
});

test("the error for another key names the option and what was passed, and shows nothing of it", () => {
  const says = "must be a CryptoKey of AES-GCM that encrypts and decrypts, or a list of them";
  expect(() => readKeys("s3cret", "key", "splitJob")).toThrow(
    `key of splitJob ${says} with the newest first, not a string. Create one: await crypto.subtle`,
  );
  expect(() => readKeys([key, "s3cret"], "keys", "it")).toThrow(`keys[1] of it ${says}`);
  expect(() => readKeys([], "keys", "it")).toThrow("newest first, not an empty list. Create");
});

test("every byte survives as two digits, in a text of a megabyte too", async () => {
  const text = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code)).repeat(4_096);
  expect(await decryptText(key, "x", await encryptText(key, "x", text))).toBe(text);
});
