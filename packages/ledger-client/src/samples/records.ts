// Wire values that the samples of several rows share. The addresses have valid checksums, because other clients check them.

export const address = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";
export const gateway = "112kbTN9Eazbiq5URzHrnzqrgHe26VBipdzDVjBZD7EnJkshnCse";
export const blockHash = "uTq3Nf1hD0mJ8pWc6bYxXo2VvK5sRz7eLgA9iB4tQwE";
export const transactionHash = "Zk1pQx8vWc3nRb6mTf9yLh2sJd5gKa7eUo4iBq0tXzE";
export const cell = "8c2681a3064d9ff";

export const block = {
  height: 1_000_001,
  hash: blockHash,
  prev_hash: "Lr4eMv7cPq2wXt9bNz5kJy8hGd1sFa3oUi6uRj0mQyA",
  time: 1_763_625_600,
  transaction_count: 57,
  snapshot_hash: "",
};

const common = {
  time: 1_763_625_600,
  signature: "c2lnbmF0dXJl",
  height: 1_000_001,
  hash: transactionHash,
  fee: 0,
};

export const pocRequest = {
  type: "poc_request_v1" as const,
  ...common,
  version: 10,
  secret_hash: "9QxV2mWc",
  owner: address,
  onion_key_hash: "tR5nYb7k",
  location: cell,
  lng: -122.41,
  lat: 37.77,
  challenger: gateway,
  block_hash: blockHash,
};

export const payment = {
  ...common,
  type: "payment_v1",
  payer: address,
  payee: gateway,
  amount: 150_000_000,
  fee: 35_000,
};
