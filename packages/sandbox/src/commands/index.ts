export * from "./shared.ts";
export { readNamedServices } from "./named-services.ts";
export type { NamedServices } from "./webhooks/read-services.ts";
export { type Lock, withLock } from "./with-lock.ts";
export { stateFile, type StateFile } from "./state-file.ts";
export { isPipe, openFileOrPipe, readFileOrPipe, readStream } from "./read-stream.ts";
export { jsonOrUndefined } from "./read-stream.ts";
export { replaceFile } from "../server/replace-file.ts";
export { isSharedFile, sharedFileWarning } from "./is-shared-file.ts";
