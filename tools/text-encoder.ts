// The build of http for CommonJS uses it in ky, which makes one when it loads: Jest hides it with jsdom. Only uploads would call it.
export const TextEncoder = globalThis.TextEncoder ?? Object;
