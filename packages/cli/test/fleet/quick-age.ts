import type * as age from "age-encryption";

const WORK_FACTOR = 10;

/** Age with a work factor of milliseconds, not of a second, which makes guessing a passphrase slow. */
export function quickAge(module: typeof age): typeof age {
  class QuickEncrypter extends module.Encrypter {
    constructor() {
      super();
      this.setScryptWorkFactor(WORK_FACTOR);
    }
  }
  return { ...module, Encrypter: QuickEncrypter };
}
