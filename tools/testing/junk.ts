/** The message that a getter, a proxy or a conversion of junk throws. No error of the packages may repeat it. */
export const CANARY = "canary-of-a-getter-7f3a";

function fail(): never {
  throw new Error(CANARY);
}

function failWithTypeError(): never {
  throw new TypeError(`${CANARY}.`);
}

// Reflect has a function for each trap.
const TRAPS = Object.getOwnPropertyNames(Reflect);

function trapping(target: object, trap: () => never): object {
  return new Proxy(target, Object.fromEntries(TRAPS.map((name) => [name, trap])));
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cyclic(): object {
  const value: Record<string, unknown> = { name: "one" };
  value["self"] = value;
  return value;
}

/** Names of inputs and options. A getter for each of them throws. */
const NAMES = [
  ..."name id label_id cursor signal timeout headers baseUrl apiKey".split(" "),
  ..."secret store handlers type data method path body attempts".split(" "),
];

function withGetters(names: readonly string[], trap: () => never): object {
  const getters = names.map((name) => [name, { get: trap, enumerable: true }] as const);
  return Object.defineProperties({}, Object.fromEntries(getters));
}

class Unreadable {
  get name(): string {
    return fail();
  }
  get ["constructor"](): never {
    return fail();
  }
  toString(): string {
    return fail();
  }
  toJSON(): never {
    return fail();
  }
}

/** Every kind of junk, by name. Each call creates a new value. */
export const junk: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  "a fraction": () => 0.5,
  Infinity: () => Infinity,
  "a BigInt": () => 10n ** 30n,
  "a symbol": () => Symbol("junk"),
  "an empty string": () => "",
  "control characters": () => "a\u0000b\r\nc",
  "a lone surrogate": () => "\uD800",
  "a huge string": () => "x".repeat(200_000),
  __proto__: () => JSON.parse('{"__proto__":{"polluted":1}}') as unknown,
  "a function": () => () => undefined,
  "a class": () => Unreadable,
  "an array": () => [],
  "an array of junk": () => [null, Symbol("junk"), 1n, cyclic()],
  "an empty object": () => ({}),
  "an object that holds itself": cyclic,
  "throwing getters": () => withGetters(NAMES, fail),
  "getters that throw a TypeError": () => withGetters(NAMES, failWithTypeError),
  "a getter that throws, deep inside": () => ({ name: { deep: [withGetters(["x"], fail)] } }),
  "an unreadable instance": () => new Unreadable(),
  "a proxy that throws": () => trapping({}, fail),
  "a revoked proxy": revoked,
  "a Map": () => new Map([["name", "one"]]),
  bytes: () => new Uint8Array([1, 2, 3]),
  "a promise": () => Promise.resolve({ name: "one" }),
  "a rejected promise": () => {
    const promise = Promise.reject(new Error(CANARY));
    promise.catch(() => undefined);
    return promise;
  },
  "a thenable that throws": () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- junk
    then: fail,
  }),
  "an Error": () => new Error(CANARY),
};
