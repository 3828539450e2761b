/** A union that is not closed: the known values, and any other text. */
export type OpenEnum<Known extends string> = Known | (string & {});
