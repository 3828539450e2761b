/**
 * The port of a sandbox that a command starts, and the first of the ports that it tries. Scripts, `.env` files and the OpenAPI
 * documents can therefore name its address. `startSandbox` listens on a free port unless you pass `port`.
 *
 * No well-known program has these ports, and systems choose their own ports from 32,768 up.
 */
export const SANDBOX_PORT = 14_010;

/** The number of ports that a command tries. */
export const SANDBOX_PORTS = 10;
