// Written by hand all the same: the file behind this star lists each name that the clients share.
export * from "@fieldmesh/http/shared-rate-limit";
