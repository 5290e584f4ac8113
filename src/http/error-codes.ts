/** The registry of `details.code`: its status, and what it means to a caller. The documentation is made from it. */
export const ERROR_CODES = {
  VALIDATION_FAILED: {
    status: 400,
    meaning:
      'Fields are wrong; `details.fields` names each one, and what is allowed. Correct them all at once.',
  },
  INVALID_JSON: {
    status: 400,
    meaning: 'The body is no JSON object in UTF-8. Send exactly one object, such as {}.',
  },
  INVALID_CONTENT_TYPE: {
    status: 400,
    meaning: 'A body must be JSON, with the header Content-Type: application/json.',
  },
  BODY_TOO_LARGE: {
    status: 400,
    meaning: 'The body is larger than 64 KiB, which is the most that is taken. Send less in one request.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    meaning:
      'The request is not valid HTTP, or its address can not be decoded. Correct it: sent again as it is, it fails again.',
  },
  DUPLICATE_PARTNER_CASE_ID: {
    status: 400,
    meaning:
      'A live case has this partnerCaseId and treatmentType already: details.caseId says which. Go on with that one, or ' +
      'recall or archive it before you hand over another.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    meaning:
      'This Idempotency-Key was sent with another request in the last 24 hours; send a new key with a new request.',
  },
  ACTION_NOT_ALLOWED: {
    status: 400,
    meaning: "The case's status does not allow this; `details.allowedActions` says what it does allow.",
  },
  APPOINTMENT_STARTED: {
    status: 400,
    meaning:
      'The appointment has begun, so it can not be confirmed, cancelled or recalled any more; `details.allowedActions` ' +
      'says what can be done instead.',
  },
  SLOT_UNKNOWN: {
    status: 400,
    meaning:
      'This slotId was never offered for this case, or it was altered. Ask for the availability, and send one as it ' +
      'stands there.',
  },
  SLOT_TAKEN: {
    status: 400,
    meaning: 'Somebody else has just taken this time. Choose another: `details.alternatives` has some.',
  },
  ACTIVATION_TOKEN_INVALID: {
    status: 400,
    meaning:
      'This activation token is unknown, was used or replaced, or is older than 72 hours. Please ask our operator for a ' +
      'new one.',
  },
  API_KEY_LIMIT_REACHED: {
    status: 400,
    meaning: 'As many API keys are live as there may be. Revoke one, or rotate one with overlapHours 0.',
  },
  API_KEY_ENDED: {
    status: 400,
    meaning: 'This key was revoked or has expired, so there is nothing to replace: create a new one.',
  },
  INVALID_API_KEY: {
    status: 401,
    meaning: 'The header X-API-Key is missing or its key is not accepted; `details.reason` says why.',
  },
  INVALID_CREDENTIALS: {
    status: 401,
    meaning:
      'The e-mail address, the password or the one-time code is wrong, the code was used before, or the account is not ' +
      'activated yet. A forgotten password, or a lost authenticator app, is a new activation, from our operator.',
  },
  INVALID_ACCESS_TOKEN: {
    status: 401,
    meaning:
      'The header Authorization has no access token, or none that is accepted; `details.reason` says why.',
  },
  EID_LOGIN_REQUIRED: {
    status: 401,
    meaning: 'The customer has to log in with the eID first: POST /booking/{caseId}/login says where.',
  },
  KEY_NOT_ALLOWED: {
    status: 403,
    meaning:
      'The API key is good, and may not do this: `details.reason` says whether it is the `network` that the call comes ' +
      'from, or the `scope` that the key lacks (`details.scope` is the one that it takes).',
  },
  IDENTITY_MISMATCH: {
    status: 403,
    meaning:
      'The person logged in is not the one the case is for. Log out, and let that person log in; a name that is ' +
      'misspelt on the case is for the partner to correct.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    meaning:
      'A request that rides on a session has to come from our own pages, and say so in its header Origin.',
  },
  CASE_NOT_FOUND: {
    status: 404,
    meaning: 'There is no case with this id, or it is not yours. Compare it with the id that you were given.',
  },
  API_KEY_NOT_FOUND: {
    status: 404,
    meaning: 'You have no API key with this id. GET /auth/api-keys lists those that you have.',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'There is nothing at this address, or not for this method. The page /docs describes every call.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    meaning:
      'Too many requests. `RateLimit-Policy` says what is allowed; wait as long as `Retry-After` says.',
  },
  CASE_LIMIT_EXCEEDED: {
    status: 429,
    meaning: 'Too many of these for one case in 24 hours; wait as long as `Retry-After` says.',
  },
  TEMPORARILY_UNAVAILABLE: {
    status: 500,
    meaning:
      'Something that this needs does not answer just now. Nothing happened: try again after the seconds in Retry-After.',
  },
  PROVIDER_UNAVAILABLE: {
    status: 500,
    meaning:
      "The provider's booking system does not answer, so nothing was booked. Try again after the seconds in Retry-After, " +
      'or choose a time of another provider.',
  },
  REGISTRY_UNAVAILABLE: {
    status: 500,
    meaning:
      'The registry does not answer, so nothing was verified: neither that it is valid nor that it is not. Try again after ' +
      'the seconds in Retry-After.',
  },
  OUTCOME_UNKNOWN: {
    status: 500,
    meaning: 'It may have happened, or may still happen. Read the case before you try again.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'Something went wrong on our side. If it happens again, report it with details.requestId.',
  },
} as const satisfies Record<string, { status: 400 | 401 | 403 | 404 | 429 | 500; meaning: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The registry of `details.fields[].code`: what can be wrong with a field of the body, a parameter or a header. */
export const FIELD_CODES = {
  required: 'It is missing, and has to be there.',
  nothing_to_change: 'The body is empty: a PATCH has to name at least one field.',
  unknown_field: 'There is no such field; the message names those that there are.',
  invalid_type: 'It is of another type, such as a number for a string, or given more often than once.',
  invalid_value: 'It is none of the values that there are; the message names them.',
  invalid_format: 'It is not written as it has to be; the message says how.',
  invalid: 'It does not fit; the message says why.',
  too_small: 'It is too short, too few, or too low.',
  too_big: 'It is too long, too many, or too high.',
  too_many: 'There are too many parameters.',
  invalid_character: 'It has characters that such a text does not have, as line breaks in a name.',
  invalid_encoding: 'It is not UTF-8, percent-encoded.',
  invalid_date: 'It is no date of the calendar, YYYY-MM-DD.',
  invalid_time: 'It is no date and no instant.',
  in_the_future: 'The date lies in the future.',
  in_the_past: 'The date, or the instant, lies in the past.',
  too_far_ahead: 'The date, or the clock of a case in the sandbox, would be too far ahead.',
  before_from: 'The last day is before the first.',
  too_long: 'There are too many days between the first and the last.',
  invalid_email: 'It is no e-mail address.',
  invalid_phone: 'It is no phone number with country prefix.',
  no_sms: 'The number takes no SMS, and there is no e-mail address beside it.',
  contact_required: 'There is neither an e-mail address nor a phone number.',
  no_address: 'The case has no address for this channel.',
  identity_bound: 'The customer has logged in, so the name stays as it is.',
  unknown_treatment_type: 'Nobody offers such a treatment; GET /treatment-types lists what there is.',
  national_identity_number: 'There is a national identity number in it.',
  invalid_cursor: 'It is no cursor of this list.',
  invalid_key: 'It is no Idempotency-Key.',
  invalid_network: 'It is no network in CIDR.',
  is_email: 'The password is the e-mail address of the account.',
  too_common: 'The password is one of those that are tried first.',
} as const;
export type FieldCode = keyof typeof FIELD_CODES;
