// Listed by hand nevertheless: the file behind this star names each export that the clients share.
export * from "@fieldmesh/http/shared-rate-limit";
