// A page that shows events: the parser and the types, without a secret.
import { parseEvent } from "@fieldmesh/webhook-types/parse";

globalThis.titleOf = (json) => parseEvent(json).type;
