/** The first port that a command tries. No well-known program has it, and systems choose their own ports from 32,768 up. */
export const SANDBOX_PORT = 14_010;

export const SANDBOX_PORTS = 10;

/** The variable that names a running sandbox. */
export const SANDBOX_VARIABLE = "FIELDMESH_SANDBOX";
