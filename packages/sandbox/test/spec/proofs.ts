/** Where a statement is proved, in this order. */
export const COLUMNS = ["types", "run time", "documents", "sandbox", "CLI"] as const;

/** Why a column has no proof. */
export const REASONS: Readonly<Record<string, string>> = {
  // For a whole row:
  words:
    "about the documents, the people or the organization, and not about a request or a response",
  silent: "the contract says that it does not show it",
  other: "what another part of the network does, and no client or sandbox can show",
  // For one column:
  "-": "a type, a document, a command or a request has no place for it",
};

/** Each place of a proof: a file and a part of the title of a test in it, or a page and what it says. */
export const places: Readonly<Record<string, string>> = Object.fromEntries(
  `
field    = http/test/methods.test-d.ts: each kind of row has its result type
requires = sandbox/test/spec/field-types.test-d.ts: what an endpoint requires is required
devices  = console-client/test/console-client.test-d.ts: methods resolve to the types of their rows
ledger   = ledger-client/test/ledger-client.test-d.ts: methods resolve to the results of their rows
mobile   = mobile-client/test/mobile-client.test-d.ts: methods resolve to their records
mapper   = mapper-client/test/mapper-client.test-d.ts: ingest accepts both forms and returns one type
inputs   = console-client/test/console-client.test-d.ts: mistakes in an input do not compile
fires    = webhook-types/test/editor.slow.test.ts: every member of the catalog's interfaces says when it fires
payload  = webhook-types/test/webhook-types.test-d.ts: the types of the schemas and the interfaces extend each other
sends    = tools/testing/contract/requests.ts: sends the request line, headers and body that it declares
marks    = sandbox/test/spec/field-marks.test.ts: have the marks of $at
reads    = tools/testing/contract/requests.ts: names a field of a wrong type, and never its value
parsed   = webhook-types/test/parse.test.ts: the sample of %s is parsed from a string and from bytes
secret   = webhook-types/test/parse.test.ts: secrets are Secrets: the one-time code and activation codes
redacted = webhook-types/test/redact-event.test.ts: redaction hides every secret and all personal data that the spec names
response = tools/testing/contract/published-fields.ts: each field of its response, and the place of one
body     = tools/testing/contract/published-fields.ts: each field of its body, and the place of one
query    = tools/testing/contract/published-fields.ts: the parameters, and which of them are required
errors   = tools/testing/contract/published-fields.ts: the errors
keywords = docs/documents/marks.test.ts: the requests of $name have the keywords and required fields
rules    = docs/documents/generators.test.ts: Redocly's recommended rules find nothing in $name
server   = docs/documents/generators.test.ts: the first server of $name is the sandbox
schema   = docs/documents/schemas.test.ts: every event's schema takes its sample
personal = docs/documents/schemas.test.ts: what is secret or personal says so
served   = sandbox/test/services.test.ts: every service is served by the sandbox under its name
route    = sandbox/test/spec/statements.test.ts: every name of the contract is in one of
sent     = sandbox/test/spec/statements.test.ts: lists %s with its envelope and the fields that the contract names
codes    = sandbox/src/engine/webhooks/webhooks.test.ts: no record, dead letter or printed value contains codes
row      = cli/test/rows.test.ts: sends its sample with each of its examples
record   = cli/test/output.test.ts: a record is printed as a line for each field
list     = cli/test/rows.test.ts: a list is read up to the limit
known    = sandbox/src/commands/webhooks/make-event.test.ts: each type of the catalog is known, and no other
made     = sandbox/src/commands/webhooks/make-event.test.ts: an event of a known type is the sample
`
    .trim()
    .split("\n")
    .map((line) => line.split(/ += (.*)/)),
);

/**
 * Which statements are proved where: the beginnings of their ids (after `&`, of others in the same section), and a place for each column,
 * or a reason for all. A later line replaces an earlier one. A line that names only a section is about the rows of its
 * tables, so that a new sentence needs a line. `=` keeps what that one has.
 */
export const rules = `
console//This document covers & Two other documents | words
console//In this document all | - | sends | server | served | row
console/What the service does/The console API is & It lets a caller & Devices belong | words
console/What the service does/The console interface | - | - | console-client/README.md: not fully updated for a later migration | - | -
console/What the service does/read & list & create & attach | devices | sends | response | route | row
console/What the service does/The mapping ingest API | mapper | sends | body | mapper: the four fields are enough in decoded.payload | row
console/What the service does/Submitted data | - | - | docs/guides/mapping.md: shows them on a public map in real time | - | -
console/What the service does/It is meant | - | mapper-client/test/forwarder.test.ts: forwards mappable uplinks | - | sandbox/src/engine/console/uplinks/send-uplink.test.ts: is delivered as the standard uplink | -
console/Resources and their fields/All identifiers | field | reads | keywords | console: the organization is an array | -
console/Resources and their fields/Timestamps | field | console-client/test/answers.test.ts: reads times without a zone as UTC | response | console: a device that is looked up by id has fewer fields | -
console/Organization/                 | field | marks | response | console: the organization is an array with dc_balance, id and name | record
console/Device (full form             | field | marks | response | console: the list has full devices, whose labels are device-label objects | record
console/Device (full form, from the device list)/The device returned | field | marks | response | console: a device that is looked up by id has fewer fields | record
console/Device (full form, from the device list)/The device descriptor | field | marks | response | console: a lookup by all three values is a descriptor | record
console/Device-label object           | field | marks | response | console: the list has full devices, whose labels are device-label objects | record
console/Label/                        | field | marks | response | console: the list of labels has id and name | record
console/Label/multi_buy | field | marks | response | console: a label that is found by its name has multi_buy | record
console/Integration/                  | field | marks | response | console: the list of integrations has id, name, labels and devices | record
console/Integration/name | field | marks | response | console: the name of an integration is unique | record
console/Integration/type | field | marks | response | console: an integration of type | record
console/Integration/credentials | field | marks | response | console: an integration of type | cli/test/output.test.ts: a record is printed as a line for each field, without its secrets
console/Flow/                         | field | marks | response | console: the flows of an integration have a target and its organization | record
console/Device event/                 | field | console-client/test/device-events.test.ts: the fields that the contract shows drift if they are absent | response | console: an uplink event has the data of an uplink | record
console/Device event/data for an uplink | field | console-client/test/device-events.test.ts: an unconfirmed uplink is an uplink, and only a confirmed one is confirmed | response | console: an uplink event has the data of an uplink | record
console/Device event/data for an integration | field | console-client/test/device-events.test.ts: an unconfirmed uplink is an uplink, and only a confirmed one is confirmed | response | console: an integration event has the data of a request | record
console/Device event/integration      | = | = | = | console: an integration event has the data of a request | =
console/Device event/req              | = | console-client/test/answers.test.ts: accepts any request body of an integration event, and recognizes the documented one | = | console: an integration event has the data of a request | =
console/Device event/reported_at      | = | console-client/test/answers.test.ts: reported_at is a string in an event and a number in its body | = | = | =
console/Integration types             | inputs | sends | body | console: an integration of type | row
console/Integration types (value of body field type)/Names of vendor | words
console/Integration types (value of body field type)/prebuilt | = | console-client/test/integrations-and-flows.test.ts: create calls one endpoint for every partner | body | console: a prebuilt integration is created | =
console/Integration types (value of body field type)/custom HTTP | = | = | = | console: an HTTP integration may have the method | =
console/States and transitions/       | devices | sends | body | console: a device is deactivated | row
console/States and transitions/A device has | field | marks | response | console: a device is deactivated | record
console/States and transitions/active = true or false: PUT /api/v1/devices/active | = | = | = | console: devices are deactivated by dev_eui | =
console/States and transitions/active = true or false: PUT /api/v1/labels | = | = | = | console: the devices of a label are deactivated | =
console/Endpoints/Every console request | - | sends | rules | console: (observed) a request without a key is forbidden | cli/test/cli.test.ts: a key that is read from stdin is used
console/Endpoints/Requests with a body | - | sends | body | console: a label is created, with a config_profile_id or without | -
console/Console endpoints/             | devices | sends | response | route | row
console/Console endpoints/7 | requires | sends | body | console: a device is created with labels and a profile | row
console/Console endpoints/13 | requires | sends | body | console: a label is created | row
console/Console endpoints/27 | inputs | console-client/test/integrations-and-flows.test.ts: a flow requires either a label or a device, and not both | body | console: a flow has one target, and not two | row
console/Console endpoints/29 | requires | sends | body | console: the profile of a device becomes | row
console/Console endpoints/30 | requires | sends | body | console: the profile of a label becomes | row
console/Console endpoints/32 | requires | sends | query | console: devices are deactivated by all three values | row
console/Console endpoints/Endpoints 7 and 8 & Endpoints 29 and 31 | - | sends | body | sandbox/src/engine/serve/serve.test.ts: of rows with the same route, the one that fits the body best | row
console/Console endpoints/Endpoint 7 is | - | console-client/test/errors.test.ts: the error mentions the bulk method if single devices cannot be created | errors | console: one hosted deployment has disabled the creation of one device | -
console/Console endpoints/Endpoints 17 to 21 | inputs | console-client/test/integrations-and-flows.test.ts: create calls one endpoint for every partner | body | console: an integration of type | row
console/Console endpoints/Bulk create & error is text | field | marks | response | console: each device of a bulk creation is in success or in failure | row
console/Console endpoints/Events returned | devices | console-client/test/device-events.test.ts: integrationEvents has integration events only | response | console: an integration event has the data of a request, and the filter shows no others | row
console/Mapping ingest endpoint/      | mapper | sends | body | mapper: they are enough in object | row
console/Mapping ingest endpoint/l & a | field | mapper-client/test/check.test.ts: check requires %s at the top level | body | mapper: is required | row
console/Mapping ingest endpoint/altitude | = | = | = | mapper: altitude is an integer | =
console/Mapping ingest endpoint/The required fields | mapper | mapper-client/test/check.test.ts: check requires %s at the top level of the position, in both forms | body | mapper: the case of a name counts | row
console/Mapping ingest endpoint/All four | mapper | mapper-client/test/check.test.ts: check requires %s at the top level | body | mapper: is required | row
console/Mapping ingest endpoint/Other metadata | mapper | mapper-client/test/public-part.test.ts: of an uplink of %s, only the fields of its form are submitted | body | mapper: other data may be in object | row
console/Authentication/Every console request | - | sends | rules | console: (observed) a wrong key is not authorized | cli/test/cli.test.ts: a key that is read from stdin is used
console/Authentication/The key grants | - | - | docs/guides/clients.md: A key belongs to one organization | sandbox/src/engine/console/key-check.test.ts: an added key is accepted, and a removed one is rejected | -
console/Authentication/A key is created | - | - | docs/guides/clients.md: A key belongs to one organization | - | -
console/Authentication/It is displayed | - | - | docs/guides/clients.md: The console shows the key once | - | -
console/Authentication/Creation must | - | console-client/test/errors.test.ts: distinguishes an unknown key from one whose email link was not opened | docs/guides/clients.md: sends an email with a link to confirm it | sandbox/src/engine/console/key-check.test.ts: an error tells the user to open the link in the email | -
console/Authentication/The mapping | - | mapper-client/test/ingest.test.ts: sends the unchanged uplink, without a credential | rules | mapper: the four fields are enough in decoded.payload | row
console/Events/The console keeps | devices | sends | response | sandbox/src/engine/console/rows/events.test.ts: the last 100 events of a device are kept, and the last 10 | row
console/Errors/404 | - | console-client/test/writes.test.ts: a get rejects the console's own 404 | errors | console: no label has the id | cli/test/failure.test.ts: %s is reported with its exit code on one line
console/Errors/400 | - | tools/testing/contract/requests.ts: rejects with an ApiError for every declared status | errors | mapper: is required | cli/test/failure.test.ts: %s is reported with its exit code on one line
console/Errors/Bulk device | field | marks | response | console: each device of a bulk creation is in success or in failure | row
console/Limits/devices per bulk create | - | console-client/test/inputs.test.ts: rejects batches of 0 and 1,001 devices, and accepts 1,000 | keywords | console: up to 1,000 devices are created at once | -
console/Limits/events returned & integration events | - | - | - | sandbox/src/engine/console/rows/events.test.ts: the last 100 events of a device are kept, and the last 10 | -
console/Versioning/Console paths | - | sends | server | served | row
console/Versioning/The console interface | - | - | console-client/README.md: not fully updated for a later migration | - | -
ledger//This document covers & The device console API | words
ledger//All paths begin | - | sends | server | served | row
ledger//The interface is stated | - | - | ledger-client/README.md: may no longer be available after a migration | - | -
ledger/What the service does/The service | ledger | sends | response | route | row
ledger/What the service does/It only reads | - | sends | query | route | row
ledger/What the service does/Token amounts | ledger-client/test/ledger-client.test-d.ts: amounts are bigints | ledger-client/test/answers.test.ts: amounts are read as bigints | docs/documents/schemas.test.ts: an amount may be an integer of any size | sandbox/src/engine/ledger/ledger.test.ts: integers beyond 2^53 arrive exactly | cli/test/output.test.ts: with --json integers are exact
ledger/Resources and their fields/Responses are | - | http/test/decoding.test.ts: the output is the record of a plain response, the content of data | response | sandbox/src/engine/serve/serve.test.ts: a record in the envelope data, and a page in its own envelope | row
ledger/Resources and their fields/A paged response | ledger | http/test/pager.test.ts: walks through empty pages to the page without a cursor | response | ledger: blocks are paged: a cursor leads to more | list
ledger/Resources and their fields/A request passes | ledger | http/test/pager.test.ts: repeats the first query with every cursor | query | ledger: the next page has block descriptors | list
ledger/Block descriptor/              | field | marks | response | ledger: a block is looked up by its hash | record
ledger/Height/data               | field | marks | response | ledger: the height is data.height | record
ledger/Block statistics/data          | field | marks | response | ledger: the statistics have four spans | record
ledger/Transaction (in a block)/Common keys & Type poc & Each path entry & A receipt | field | ledger-client/test/transactions.test.ts: isKnownTransaction is true for the two documented types | response | ledger: one of them is the receipts of a challenge | list
ledger/Transaction (in a block)/Type poc_request | = | = | = | ledger: the transactions of a height are paged, one of them a request of a challenge | =
ledger/Location/data                | field | marks | response | ledger: a location is described (deprecated) | record
ledger/Account/The account record | field | ledger-client/test/answers.test.ts: an unused account has zeros, and its next nonce is 1 | response | ledger: an account (address) has a speculative_nonce | record
ledger/States and transitions/Pending | ledger | sends | response | ledger: of an account are paged | list
ledger/Endpoints/All are GET | - | sends | query | route | row
ledger/Endpoints/Paged endpoints | ledger | http/test/pager.test.ts: repeats the first query with every cursor | query | ledger: the next page has block descriptors | list
ledger/Blocks/                        | ledger | sends | query | route | row
ledger/Blocks/GET /v1/blocks/height | requires | sends | query | ledger: the height is that before a time, not at it | row
ledger/Accounts/                      | ledger | sends | query | route | row
ledger/Accounts/GET /v1/accounts/rich | requires | sends | keywords | ledger: the richest accounts are 1,000 by default | row
ledger/Accounts/GET /v1/accounts/:address/activity/count | ledger | ledger-client/test/inputs.test.ts: sends filter types as one value separated by commas | query | ledger: activity is counted by the types of filter_types | row
ledger/Accounts/GET /v1/accounts/:address/rewards | ledger | ledger-client/test/inputs.test.ts: the second page of rewards sends the times as the same strings | query | sandbox/src/engine/ledger/ledger.test.ts: the block that contains max_time is excluded | row
ledger/Accounts/GET /v1/accounts/:address/rewards/sum | requires | sends | query | ledger: the sum of rewards requires both times | row
ledger/Accounts/GET /v1/accounts/:address/stats | ledger | sends | response | ledger: the balance has statistics of a day, a week and a month | row
ledger/Accounts/Time values accept | ledger | ledger-client/test/inputs.test.ts: ago accepts whole numbers from 1 up, and a unit | query | ledger: max_time may be | row
ledger/Accounts/When a time is omitted | ledger | ledger-client/test/parallel.test.ts: parallel uses the current time without a last time | query | ledger: without max_time, rewards end at the current time | row
ledger/Accounts/With bucket | ledger | ledger-client/test/answers.test.ts: a sum of rewards is a list with and without buckets | response | ledger: has a sum for each hotspot | row
ledger/Accounts/The block containing | - | - | - | sandbox/src/engine/ledger/ledger.test.ts: the block that contains max_time is excluded | -
ledger/Chain variables/               | ledger | sends | query | route | row
ledger/Locations (deprecated)/        | ledger | sends | query | ledger: a location is described (deprecated) | row
ledger/Errors/A cursor-based | - | http/test/pager.test.ts: a cursor that expires | errors | ledger: an expired cursor of accounts is a 400 | -
ledger/Limits/accounts/rich | - | sends | keywords | ledger: the richest accounts are 1,000 by default | row
ledger/Versioning/Paths carry | - | sends | server | served | row
ledger/Versioning/Several block | ledger-client/test/hover.slow.test.ts: a deprecated method is struck out | - | docs/documents/generators.test.ts: what the contract calls deprecated is deprecated | - | -
mobile/… events/                      | fires | parsed | schema | sent | known
mobile//This document covers & The device console API | words
mobile/What the service does/Every asynchronous | - | - | docs/documents/generators.test.ts: the AsyncAPI parser finds nothing in the webhooks | sandbox/src/engine/mobile/mobile.test.ts: a created record has the id prefix of its type, a time, and an event | -
mobile/What the service does/Clients subscribe | webhook-types/test/webhook-types.test-d.ts: patterns match a type, a family or all types | webhook-types/test/subscription.test.ts: accepts every current type, every family, and * | response | mobile: the event types, which are valid in enabled_events, are listed | sandbox/src/commands/webhooks/listen.test.ts: an endpoint for all types is added
mobile/What the service does/The service does not | - | - | docs/guides/handle-events.md: sends no email and no SMS to subscribers | - | -
mobile/Event envelope/                | payload | parsed | schema | sent | made
mobile/Event envelope/id | = | said: id: prefix evt_ | = | = | =
mobile/Event envelope/idempotency_key | = | parsed | = | = | =
mobile/Event envelope/created_at | = | said: created_at: ISO 8601 UTC timestamp | = | = | =
mobile/Fields named by the catalog/   | payload | parsed | schema | sent | made
mobile/Fields named by the catalog/cpni | payload | secret | personal | = | =
mobile/Fields named by the catalog/fraud | payload | redacted | personal | = | =
mobile/States and transitions/Moves & s & p | payload | said: next state | schema | sandbox/test/spec/statements.test.ts: a move of the contract is in its event | made
mobile/States and transitions/subscription paused: & subscription past_due: subscription.recovered & sim suspended | = | said: from | = | = | =
mobile/States and transitions/subscriber lock: subscriber.locked | = | said: the lock turns on | = | = | =
mobile/States and transitions/subscriber lock: subscriber.unlocked | = | said: the lock turns off | = | = | =
mobile/Endpoints/                     | mobile | sends | response | route | row
mobile/Endpoints/The catalog refers | words
mobile/Endpoints/GET /v1/subscribers/{id} | = | = | = | mobile: the role of a key may not see personal data | cli/test/rows.test.ts: personal data of the mobile service is hidden unless --reveal
mobile/Endpoints/DELETE               | = | = | = | mobile: a subscriber with billing history is not | =
mobile/Endpoints/POST /v1/subscriptions | = | = | body | mobile: a group subscription has no plan | =
mobile/Endpoints/POST /v1/subscribers/{id}/balance_credits | = | mobile-client/test/client.test.ts: must be more than 0 | body | mobile: a credit of 0 is not | =
mobile/Endpoints/POST /v1/fraud       | = | = | = | sandbox/src/engine/mobile/mobile.test.ts: fraud.evaluated is emitted for a signup and a decision | =
mobile/Endpoints/GET /events | mobile-client/test/mobile-client.test-d.ts: a stored event is assignable to its webhook event | sends | response | codes | row
mobile/Authentication/Webhook bodies | - | webhook-types/test/verify.test.ts: the header of the platform, by %s | docs/documents/generators.test.ts: the AsyncAPI parser finds nothing in the webhooks | sandbox/src/engine/webhooks/webhooks.test.ts: delivers a signed event of any type | sandbox/src/commands/webhooks/verify-and-explain.test.ts: verify prints a verified event
mobile/Authentication/The signed webhook | mobile-client/test/mobile-client.test-d.ts: a stored event is assignable to its webhook event | webhook-types/test/parse.test.ts: an event says whether it was delivered by webhook or read from the store | personal | codes | sandbox/src/commands/webhooks/verify-and-explain.test.ts: verify prints a verified event
mobile/Authentication/Hosted invoice | - | - | docs/guides/handle-events.md: are signed and valid for 90 days | - | -
mobile/Events/Event types are | webhook-types/test/webhook-types.test-d.ts: isKnownEvent narrows events | webhook-types/test/parse.test.ts: an unknown type is returned | - | sandbox/src/engine/webhooks/webhooks.test.ts: a real receiver accepts events of known and unknown types | sandbox/src/commands/webhooks/make-event.test.ts: any type is accepted with --unknown
mobile/Events/The default subscription | webhook-types/test/webhook-types.test-d.ts: patterns match a type, a family or all types | webhook-types/test/subscription.test.ts: accepts every current type, every family, and * | - | sandbox/src/engine/webhooks/webhooks.test.ts: an endpoint receives only the events of its patterns | sandbox/src/commands/webhooks/listen.test.ts: an endpoint for all types is added
mobile/Events/Special rule | payload | webhook-types/test/subscription.test.ts: finds handlers that receive no activation code because of * | personal | sandbox/src/engine/webhooks/webhooks.test.ts: an endpoint on %j has the activation_code | -
mobile/Events/An endpoint on | payload | webhook-types/test/subscription.test.ts: finds handlers that receive no activation code because of * | schema | sandbox/src/engine/webhooks/webhooks.test.ts: an endpoint on %j has the activation_code | -
mobile/Subscriber events/Subscriber event payloads | payload | said: email, phone, date_of_birth null; pii_redacted true | schema | sandbox/src/engine/webhooks/webhooks.test.ts: a subscriber is redacted, whatever the trigger contains | made
mobile/Subscriber events/subscriber.payment_updates_blocked | payload | said: carries payment_updates_blocked_until and payment_updates_blocked_reason | = | = | =
mobile/Subscriber events/subscriber.locked | payload | said: the lock turns on | = | = | =
mobile/Subscriber events/subscriber.unlocked | payload | said: the lock turns off | = | = | =
mobile/Subscriber events/subscriber.updated | payload | said: previous_attributes holds prior values of changed fields | = | = | =
mobile/Subscription events/subscription.line_removed | payload | said: reason is requested, scheduled, port_out, or null | = | = | =
mobile/Subscription events/subscription.line.removal_scheduled | payload | said: carries departs_at | = | = | =
mobile/Subscription events/subscription.scheduled_change_failed | payload | said: data.scheduled_change.reason says why | = | = | =
mobile/Subscription events/subscription.renewal_upcoming | payload | said: carries subscription_renewal | = | = | =
mobile/Port events/port.resolution_required | payload | said: status_reason carries the carrier text, status_reason_code its code | = | = | =
mobile/Port events/port.resolution_expiring | payload | said: carries submitted_at, days_since_submitted | = | = | =
mobile/SIM inventory events/sim_inventory.quarantined | payload | said: carries quarantine_reason | = | = | =
mobile/SIM inventory events/sim_inventory.low_stock | payload | said: carries available and threshold | = | = | =
mobile/SIM events/sim.cleared | payload | said: data.state is deactivated or provisioned | = | = | =
mobile/SIM events/sim.reassigned | payload | said: object carries subscriber_id, holder_subscriber_id | = | = | =
mobile/SIM events/Guidance tied | payload | webhook-types/test/parse.test.ts: reassignmentOf names a subscription to repoint to only if the old one is canceled | docs/guides/keep-a-mirror.md: the member who uses the line | - | -
mobile/SIM events/sim.linked | payload | said: carries the link target | = | = | =
mobile/SIM events/sim.scam_block | payload | said: carries scam_block_enabled | = | = | =
mobile/SIM events/sim.video | payload | said: carries video_quality, video_stepped_down | = | = | =
mobile/SIM events/sim.wps | payload | said: carries wps | = | = | =
mobile/SIM events/sim.boost_reduced | payload | said: carries boost_mb and boost_mb_removed | = | = | =
mobile/SIM events/sim.esim | payload | said: carries the SIM and profile_expires_at | = | = | =
mobile/Catalog events/Emitted in | - | webhook-types/test/parse.test.ts: check and replace data.object of their type | - | sent | -
mobile/Billing events/payment_method  | payload | = | = | = | =
mobile/Billing events/invoice.upcoming | payload | said: a preview invoice object (status upcoming, no id) | = | = | =
mobile/Billing events/invoice.document_ready | payload | said: hosted_invoice_url and document_url are populated on its object | = | = | =
mobile/Billing events/balance.credited | fires | webhook-types/test/subscription.test.ts: finds a pair of types that announces the same money, and no other pair | = | = | =
mobile/Billing events/Rules for invoice.upcoming & Live subscriptions & The payload does | other
mobile/Billing events/On-demand | mobile | sends | response | mobile: the next renewal is read on demand | row
mobile/Billing events/Rules for invoice links | - | - | docs/guides/handle-events.md: at the moment of sending | - | -
mobile/Billing events/invoice.finalized can | payload | parsed | docs/guides/handle-events.md: may arrive while | - | -
mobile/Billing events/Invoices issued | payload | parsed | docs/guides/handle-events.md: Invoices created before the service rendered documents have no | - | -
mobile/Billing events/payment_method.updated | payload | said: previous_attributes holds is_default false | = | = | =
mobile/Physical SIM order events/Recipient | payload | redacted | personal | sandbox/src/engine/webhooks/webhooks.test.ts: the recipient of an order is in the delivery, but not in the stored event | -
mobile/CPNI step-up events/When a support | - | - | docs/guides/handle-events.md: You send the code to the subscriber | - | -
mobile/CPNI step-up events/cpni          | payload | = | = | = | =
mobile/CPNI step-up events/Rules | payload | secret | personal | codes | sandbox/src/commands/webhooks/sandbox-commands.test.ts: events lists the deliveries, as lines and as JSON, without codes
mobile/CPNI step-up events/cpni.escalation.* | payload | said: : carries no | personal | sent | -
mobile/CPNI step-up events/data.object & On cpni | payload | said: submitted_by is present only when that agent differs from agent; object | schema | sent | -
mobile/CPNI step-up events/Shape of | payload | said: Shape of cpni.verification.requested data.object | schema | sent | made
mobile/CPNI step-up events/cpni.escalation.requested | payload | said: carries the agent's reason | = | = | =
mobile/Referral events/Fire only | other
mobile/Referral events/Payloads carry | payload | said: : carries no | personal | sent | -
mobile/Referral events/referral.reward   | payload | = | = | = | =
mobile/Referral events/referral.reward.fulfilled | payload | webhook-types/test/subscription.test.ts: finds a pair of types that announces the same money | = | = | =
mobile/Referral events/referral.reward.earned | payload | said: data.object carries referral_id, step_index, recipient, amount_cents | = | = | =
mobile/Connection events/Payment | payload | said: fire only when the status changed; previous_attributes carries the old status | schema | sent | -
mobile/Fraud and webhook events/         | payload | redacted | personal | sent | =
mobile/Fraud and webhook events/fraud | payload | said: carries decision, score, reasons, mode and the screened subject | = | = | =
mobile/Fraud and webhook events/webhook | payload | said: carries only the endpoint id | = | = | =
mobile/Earlier catalog/                  | fires | webhook-types/test/subscription.test.ts: rejects the types of the earlier catalog, and names their successors | schema | sent | known
mobile/Earlier catalog/An earlier | webhook-types/test/editor.slow.test.ts: a router key shows when its event fires, and the successor of an earlier one | webhook-types/test/subscription.test.ts: rejects the types of the earlier catalog, and names their successors | schema | sent | known
mobile/Earlier catalog/In that | fires | parsed | schema | sent | known
mobile/Errors/A hosted | - | - | docs/guides/handle-events.md: they respond with 410 | - | -
mobile/Limits/validity | - | - | docs/guides/handle-events.md: valid for 90 days | - | -
mobile/Limits/lifetime | payload | - | docs/guides/handle-events.md: expires after 10 minutes, unless the operator has set another time | - | -
mobile/Limits/invoice.upcoming & prepaid & port.resolution | fires | - | - | - | -
mobile/Versioning/Event types | webhook-types/test/webhook-types.test-d.ts: isKnownEvent narrows events | webhook-types/test/parse.test.ts: an unknown type is returned | - | sandbox/src/engine/webhooks/webhooks.test.ts: a real receiver accepts events of known and unknown types | -
mobile/Versioning/Handlers ignore | webhook-types/test/webhook-types.test-d.ts: each key of a router has its exact type | webhook-types/test/router.test.ts: an event of an unknown type is handled by * and otherwise | - | sandbox/src/engine/webhooks/webhooks.test.ts: a real receiver accepts events of known and unknown types | -
mobile/Versioning/API paths | - | sends | server | served | row
mobile/Versioning/The current | mobile | webhook-types/test/subscription.test.ts: accepts a new type of the live list | response | mobile: the event types, which are valid in enabled_events, are listed | row
`;
