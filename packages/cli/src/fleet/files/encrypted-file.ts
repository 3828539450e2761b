import { armor, Decrypter, Encrypter } from "age-encryption";
import { CliError } from "../../exit-codes.ts";

const ARMOR = "-----BEGIN AGE ENCRYPTED FILE-----";
const BINARY = "age-encryption.org/v1";

/** Encrypts with a passphrase, in the armored format of age (v1, scrypt), which `age --decrypt` reads too. */
export async function encrypt(content: string, passphrase: string): Promise<string> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  return armor.encode(await encrypter.encrypt(content));
}

/** Tells whether a file is encrypted with age, as text or binary. */
export function isEncrypted(content: Buffer): boolean {
  const start = content.subarray(0, ARMOR.length).toString("latin1");
  return start === ARMOR || start.startsWith(BINARY);
}

/** Decrypts a file of {@link encrypt} or of the program `age`. */
export async function decrypt(file: string, content: Buffer, passphrase: string): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    const isArmored = content.toString("latin1", 0, 1) === "-";
    const binary = isArmored ? armor.decode(content.toString("latin1")) : content;
    return await decrypter.decrypt(binary, "text");
  } catch {
    throw new CliError(
      `The passphrase does not open ${file}, or the file is damaged. Check the passphrase, then try another copy of the file.`,
    );
  }
}
