import { Decrypter, Encrypter } from "age-encryption";
import { CliError } from "../../exit-codes.ts";

/** How files with an armor begin, and how those without. */
const ARMOR = "-----BEGIN AGE ENCRYPTED FILE-----";
const BINARY = "age-encryption.org/v1";

/** Encrypts a file of any size with a passphrase, in the format of age (v1, scrypt), which `age --decrypt` reads too. */
export async function* encrypt(
  content: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  yield* await encrypter.encrypt(ReadableStream.from(content));
}

/** Decrypts a file of {@link encrypt} or of the program `age`. Returns a file that is not encrypted as it is. */
export async function* decrypt(
  file: string,
  content: AsyncGenerator<Uint8Array>,
  askPassphrase: () => Promise<string>,
): AsyncGenerator<Uint8Array> {
  const { start, whole } = await readStart(content);
  const isArmored = start.startsWith(ARMOR);
  if (!isArmored && !start.startsWith(BINARY)) return yield* whole;
  const decrypter = new Decrypter();
  decrypter.addPassphrase(await askPassphrase());
  try {
    yield* await decrypter.decrypt(ReadableStream.from(isArmored ? withoutArmor(whole) : whole));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `The passphrase does not open ${file}, or the file is damaged. Check the passphrase, then try another copy of the file.`,
    );
  }
}

async function readStart(content: AsyncGenerator<Uint8Array>) {
  let start = Buffer.alloc(0);
  while (start.length < ARMOR.length) {
    const { done, value } = await content.next();
    if (done === true) break;
    start = Buffer.concat([start, value]);
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield start;
    yield* content;
  }
  return { start: start.toString("latin1", 0, ARMOR.length), whole: whole() };
}

/** Removes the armor: the bytes are in lines of base64. That they are complete is checked by the decryption. */
async function* withoutArmor(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decode = (lines: readonly string[]): Buffer =>
    Buffer.from(lines.filter((line) => !line.startsWith("-----")).join(""), "base64");
  let last = "";
  for await (const part of content) {
    const lines = (last + Buffer.from(part).toString("latin1")).split(/\r?\n/);
    last = lines.pop() ?? "";
    yield decode(lines);
  }
  yield decode([last]);
}
