/** Routes of the tables that the contract does not have, each with a reason. A new one requires a line here. */
export const routesNotInContract: Readonly<Record<string, string>> = {};

/** Event types of the schemas that the contract does not have, each with a reason. A new one requires a line here. */
export const eventTypesNotInContract: Readonly<Record<string, string>> = {};
