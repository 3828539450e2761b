/** What a column can hold. */
export type Field = keyof typeof NAMES;

/**
 * The names that network servers, vendors and people use for columns, without case and separators. If a file has several of them, the first
 * filled one counts: ChirpStack stores the AppKey of a LoRaWAN 1.0.x device in `nwk_key`, with zeros in `app_key`.
 */
export const NAMES = {
  name: [
    "name",
    "devicename",
    "enddevicename",
    "nodename",
    "id",
    "deviceid",
    "idsdeviceid",
    "devid",
    "sn",
    "serialnumber",
    "serial",
    "nombre",
    "nom",
    "bezeichnung",
    "geratename",
    "geraetename",
    "nombredeldispositivo",
    "nomdelappareil",
    "nomedeldispositivo",
    "nomedodispositivo",
    "apparaatnaam",
  ],
  dev_eui: [
    "deveui",
    "eui",
    "deviceeui",
    "idsdeveui",
    "deveuihex",
    "deveui64",
    "eui64",
    "devicedeveui",
    "sndeveui",
    "nodeeui",
    "gerateeui",
    "geraeteeui",
    "euideldispositivo",
    "dispositivoeui",
    "euidelappareil",
    "euidudispositif",
    "euidodispositivo",
    "apparaateui",
  ],
  app_eui: [
    "appeui",
    "joineui",
    "applicationeui",
    "idsjoineui",
    "appeuijoineui",
    "joineuiappeui",
    "appeuihex",
    "joineuihex",
    "anwendungseui",
    "euidelaaplicacion",
    "euidelapplication",
    "euidellapplicazione",
    "euidaaplicacao",
    "applicatieeui",
  ],
  app_key: [
    "appkey",
    "applicationkey",
    "rootkeysappkeykey",
    "appkeyhex",
    "devicekeysappkey",
    "keysappkey",
    "key",
    "keys",
    "rootkey",
    "nwkkey",
    "networkkey",
    "devicekeysnwkkey",
    "keysnwkkey",
    "rootkeysnwkkeykey",
    "appschlussel",
    "appschluessel",
    "anwendungsschlussel",
    "anwendungsschluessel",
    "schlussel",
    "schluessel",
    "clavedeaplicacion",
    "clavedelaaplicacion",
    "clave",
    "cledapplication",
    "cledelapplication",
    "chiavedellapplicazione",
    "chiavediapplicazione",
    "chavedeaplicacao",
    "chavedaaplicacao",
    "applicatiesleutel",
  ],
  labels: ["labels", "label", "groups", "group", "labelids", "labelid"],
  config_profile_id: ["configprofileid", "configprofile"],
} as const;

/** The required fields of a device. */
export const REQUIRED = ["dev_eui", "app_eui", "app_key"] as const;
export const FIELDS = Object.keys(NAMES) as Field[];

/** Tells whether a column has a name of a field. */
export function isFieldName(column: string, field: Field): boolean {
  return (
    namesOfField(field).includes(bare(column)) ||
    distinctNames(field).some((name) => ends(column).includes(name))
  );
}

/** Tells whether a column holds session keys or addresses, which a join replaces: no field is one of them. */
export function isOfSession(column: string): boolean {
  return SESSION.test(bare(column));
}

const SESSION =
  /(?:nwkskey|appskey|(?:network|nwk|application|app)session(?:integrity)?key|nwksintkey|nwksenckey|devaddr|deviceaddress)(?:key|hex)?$/;

/** Tells whether a column says that its bytes are in reverse, which is another value. */
export function isReversed(column: string): boolean {
  return /\blsb|little.?endian/i.test(column);
}

/** The names that tell what a column holds behind any prefix, such as in `PROPERTY:AppKey` and `end_device.ids.dev_eui`. */
export function distinctNames(field: Field): readonly string[] {
  return namesOfField(field).filter((name) =>
    /eui.|.eui|(?:app|nwk|application|network)key/.test(name),
  );
}

function namesOfField(field: Field): readonly string[] {
  return NAMES[field];
}

/** Returns the normalized ends of a name with prefixes, such as `b.c` and `c` of `a.b.c`, and the name without brackets. */
export function ends(column: string): string[] {
  const parts = column.split(/[.:]/);
  const outside = isReversed(column) ? column : column.replaceAll(/[([].*?[)\]]/g, "");
  const within = parts.slice(1).map((_, at) => parts.slice(at + 1).join("."));
  return [...(outside === column ? [] : [outside]), ...within].map(bare);
}

/** Tells whether a line has the name of a column. Any other line may hold keys. */
export function isHeader(line: readonly string[]): boolean {
  return line.some(
    (cell) =>
      isKnown(cell) || isOfSession(cell) || FIELDS.some((field) => isFieldName(cell, field)),
  );
}

/** Tells whether a cell is a name that says by itself what a column holds. */
export function isKnown(cell: string): boolean {
  return KNOWN.has(bare(cell));
}

const KNOWN: ReadonlySet<string> = new Set(Object.values(NAMES).flat());

/** Normalizes a name: `Device EUI`, `device-eui` and `LoRaWAN DeviceEUI` are the same. Letters have no accents. */
export function bare(header: string): string {
  return header
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replace(/^(lorawan|lora|otaa)(?=.)/, "");
}
