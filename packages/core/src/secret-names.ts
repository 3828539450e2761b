// Why it is so: docs/decisions/09-secrets-have-a-type.md

/** What the name of a field says about its value: it grants access, or it identifies a person. */
export type NamedKind = "secret" | "personal";

/**
 * What is secret by name, in words. A field that a schema declares follows its schema; this list is for all others: undeclared
 * fields, maps, headers and columns of files.
 */
const isSecret = /* @__PURE__ */ listOf(
  // Contract of the console: `app_key`, `cloudA_primary_key`, `cloudB_access_key`, `cloudB_secret_key`; its header is named `key`.
  // Field notes: `nwk_s_key`, `app_s_key`, `cloudA_policy_key`. ChirpStack: `nwkSEncKey`, `genAppKey`, `aesKey`, `root_keys`.
  "key" +
    // The same in one word, as in spreadsheets and in headers.
    "|(api|app|app s|nwk|nwk s|gen app|aes|access|secret|session|private) key" +
    // Session keys of LoRaWAN as others write them: `nwk_skey`, `AppSKEY`, `fnwksintkey`.
    "|skey|[fs] nwk s int key|nwk s enc key" +
    // Contract of the mobile service: the port-out PIN, whose field it does not name. Deployments: `port_pin`, `transferPin`.
    "|pin|(port|port out|transfer) pin|passcode" +
    // Contract of the mobile service: the code of a `cpni.verification.requested`, and `activation_code`, the install string of an eSIM.
    "|t?otp|(pin|puk|otp|sms|one time|verification|activation|confirmation|security|auth|access|unlock|recovery|backup|port out|transfer|qr) code" +
    "|matching id|qr( code)? (data|url)|lpa( string)?" +
    // SIM cards: the codes that unlock one, and the keys that authenticate it.
    "|puk|ki|opc|cv[vc]" +
    // Field notes: prebuilt integrations hold `token`, `secret` or `webhook_token`. The Things Stack: `uplink_token`.
    "|token|access token|auth token|jwt|bearer|secret|cred|credential|connection string|passw(or)?d|pwd|passphrase" +
    // Recorded requests to integrations (16 of 16): `authorization`, `cookie`, `x-api-key` in `req.headers`.
    "|auth|authorization|cookie|signature" +
    // Of proxies and applications.
    "|session id|auth user" +
    // Links that open without a login: `hosted_invoice_url` and `document_url` of the contract, and the console's `downlink_url`.
    // Addresses of chat services and of receivers hold a token.
    "|(signed|presigned|activation|invoice|document|downlink|webhook|callback) (link|url)",
);

/** In the record of an integration, and in the `req` of an event: where it sends to, and what it sends there (field notes). */
const isInRequest = /* @__PURE__ */ listOf("url|header|qs|url param|endpoint");

/** In an event of `cpni`, and of a type that the contract does not have. Elsewhere, a `code` may be that of a referral. */
const isCode = /* @__PURE__ */ listOf("code");

/** What is personal by name: contract of the mobile service, and fields of its deployments. */
const isPersonal = /* @__PURE__ */ listOf(
  "e ?mail|mail address|phone|(phone|mobile|passport) number|telephone|msisdn|(full|first|last|given|family|legal|holder) name|surname|date of birth|birth date|birthday|dob|address|address line|street|(postal|zip) code|ssn|tax id|iban|card last4",
);

/** They end like an entry, and are neither secret nor personal. */
const EXCEPTIONS =
  // An id that a caller chose, which both services log.
  "idempotency key" +
  // Of the ledger, and of every signature: published deliberately.
  "|(public|pub) key|onion key hash" +
  // Of the mobile service: a value of a list.
  "|status reason code|reason code" +
  // A row of a table, and not a value.
  "|foreign key|partition key|dev address|mac address";

/** What surrounds a field, and what its name then means. */
export interface NameContext {
  /** In the record of an integration, or in the request of an event. */
  readonly inRequest?: boolean;
  /** In an event whose `code` is a one-time code. */
  readonly hasCode?: boolean;
}

/**
 * Returns what a name says about its value, in any letter case and notation: `transferPin`, `port_out_pin` and `PORT-PIN` are
 * secret. A name matches if its words end with the words of an entry, whatever number or plural follows.
 */
export function kindOfName(name: string, context: NameContext = {}): NamedKind | undefined {
  if (isSecretName(name, context)) return "secret";
  return isPersonal(name) ? "personal" : undefined;
}

/** Tells whether a name is that of a secret. Same as {@link kindOfName}, without the list of personal names. */
export function isSecretName(name: string, { inRequest, hasCode }: NameContext = {}): boolean {
  return (
    isSecret(name) ||
    (inRequest === true && isInRequest(name)) ||
    (hasCode === true && isCode(name))
  );
}

// The names of a service are few. A hostile one may send any number.
const MOST_KEPT = 2_000;

/** Returns a function that tells whether a name matches an entry, and is not an exception. */
function listOf(entries: string): (name: string) => boolean {
  const pattern = patternOf(entries);
  const known = new Map<string, boolean>();
  return (name) => {
    let isOne = known.get(name);
    if (isOne === undefined) {
      if (known.size >= MOST_KEPT) known.clear();
      const words = wordsOf(name);
      known.set(name, (isOne = pattern.test(words) && !exceptions.test(words)));
    }
    return isOne;
  };
}

/** A name of one word may be an entry without its spaces. `PUK1` and `puk_1` are a PUK, and `tokens` are a token each. */
function patternOf(entries: string): RegExp {
  return new RegExp(
    `((^| )(${entries})|^(${entries.replaceAll(" ", "")}))(e?s)?( ?hex)?( ?v?\\d+)?$`,
  );
}

const exceptions = /* @__PURE__ */ patternOf(EXCEPTIONS);

// The name of a field is shorter, and only its end counts.
const LONGEST = 200;

/** Splits a name at separators and where its letter case changes. */
function wordsOf(name: string): string {
  return name
    .slice(-LONGEST)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z\d]+/g, " ")
    .trim();
}
