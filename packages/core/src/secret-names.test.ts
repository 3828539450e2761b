import { expect, test } from "vitest";
import { kindOfName, type NameContext } from "./secret-names.ts";

const SECRET =
  "key app_key appKey AppKey APP-KEY appkey APPKEY app_s_key AppSKey nwkSEncKey fNwkSIntKey genAppKey api_key x-api-key apikey cloudA_primary_key keys pin PIN transferPin port_out_pin PORT-PIN portpin otp loginOtp one_time_code verification-code activation_code activationCode puk PUK1 puk2 ki Ki opc token tokens webhook_token accessToken uplink_token password db_password passphrase client_secret secret cookie Set-Cookie set_cookies authorization Proxy-Authorization signature x-hub-signature signed_url hosted_invoice_url downlink_url credentials pin_1 PUK-2 app_key_v2 apiKeyV2 token[0] appKeyHex appkeyhex app_key_hex nwk_skey AppSKEY fnwksintkey NWKSENCKEY puk_code pukCode OTPCode otp_code smsCode unlock_code port_out_code transferCode recovery_codes access-code activation_url activationLink callbackUrls qr_code_data qrData lpa_string connectionString creds";
const PERSONAL =
  "email agent_email phone phone_number msisdn full_name fullName date_of_birth shipping_address card_last4 shipping_addresses address_2 address_line_1 addressLine2";
const NEITHER =
  "name dev_eui app_eui id iccid keyboard monkey token_balance pin_count spinning key_id kind wiki compass secretary idempotency_key Idempotency-Key onion_key_hash public_key price_oracle_public_keys status_reason_code url headers qs url_params code pub_key pubKey key_hash hexagon skeyboard country_code login_url __proto__ constructor mac_address";

test.each([
  ["secret", SECRET],
  ["personal", PERSONAL],
  [undefined, NEITHER],
] as const)("kindOfName says %s of each name", (kind, names) => {
  for (const name of names.split(" ")) expect([name, kindOfName(name)]).toEqual([name, kind]);
  expect(kindOfName("")).toBeUndefined();
});

test("the place of a field adds names", () => {
  const named = (context: NameContext): string[] =>
    ["url", "headers", "qs", "url_params", "endpoint", "code", "status_reason_code"].filter(
      (name) => kindOfName(name, context) === "secret",
    );
  expect(named({})).toEqual([]);
  expect(named({ inRequest: true })).toEqual(["url", "headers", "qs", "url_params", "endpoint"]);
  expect(named({ hasCode: true })).toEqual(["code"]);
});

test("names of a hostile service cost no memory and little time", () => {
  for (let index = 0; index < 10_000; index++) kindOfName(`field_${index}_token`);
  expect(kindOfName(`${"a_B".repeat(1_000_000)}_token`)).toBe("secret");
});
