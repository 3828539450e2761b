/** An open union: completes the known values, and accepts any other string. */
export type OpenEnum<Known extends string> = Known | (string & {});
