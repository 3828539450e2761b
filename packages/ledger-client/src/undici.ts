export { dispatchFetch, type DispatchFetchOptions } from "@fieldmesh/http/internal/undici";
