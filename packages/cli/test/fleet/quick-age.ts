import type * as age from "age-encryption";

const WORK_FACTOR = 10;

/** Age that spends milliseconds on a passphrase, and not the second that makes guessing slow. */
export function quickAge(module: typeof age): typeof age {
  class QuickEncrypter extends module.Encrypter {
    constructor() {
      super();
      this.setScryptWorkFactor(WORK_FACTOR);
    }
  }
  return { ...module, Encrypter: QuickEncrypter };
}
