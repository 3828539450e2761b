/** The statuses that a condition tells apart. A set of statuses of its own, with its reason, lists numbers. */
export const STATUS = {
  badRequest: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  requestTimeout: 408,
  conflict: 409,
  unprocessable: 422,
  tooManyRequests: 429,
  internalError: 500,
  gatewayTimeout: 504,
} as const;
