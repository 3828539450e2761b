/** The variable that names a running sandbox. */
export const SANDBOX_VARIABLE = "FIELDMESH_SANDBOX";
