import { expect, test } from "vitest";
import { checkEncryptionKey, decryptText, encryptText, isEncryptionKey } from "./encrypt-text.ts";

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

test("only a key of AES-GCM that encrypts and decrypts is one", async () => {
  expect(isEncryptionKey(key)).toBe(true);
  for (const other of [
    await keyOf(["encrypt"]),
    await keyOf(["decrypt"]),
    await keyOf(["encrypt", "decrypt"], "AES-CBC"),
    "key",
    {},
    undefined,
  ])
    expect(isEncryptionKey(other)).toBe(false);
});

test("the error for another key names the owner and what was passed, and shows nothing of it", () => {
  checkEncryptionKey("splitJob", key);
  expect(() => checkEncryptionKey("splitJob", "s3cret")).toThrow(
    /^splitJob requires a CryptoKey of AES-GCM that encrypts and decrypts, not a string\. Create one: await crypto\.subtle/,
  );
});

test("every byte survives as two digits, in a text of a megabyte too", async () => {
  const text = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code)).repeat(4_096);
  expect(await decryptText(key, "x", await encryptText(key, "x", text))).toBe(text);
});
