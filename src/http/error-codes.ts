/** The registry of `details.code`: its status, and what it means to a caller. The documentation is made from it. */
export const ERROR_CODES = {
  VALIDATION_FAILED: {
    status: 400,
    meaning: 'Fields of the request are wrong; `details.fields` names each one.',
  },
  INVALID_JSON: { status: 400, meaning: 'The body is not a JSON object in UTF-8.' },
  INVALID_CONTENT_TYPE: { status: 400, meaning: 'A body has to be sent as `application/json`.' },
  BODY_TOO_LARGE: { status: 400, meaning: 'The body is larger than 64 KiB.' },
  MALFORMED_REQUEST: {
    status: 400,
    meaning: 'The request is not valid HTTP, or its address can not be decoded.',
  },
  DUPLICATE_PARTNER_CASE_ID: {
    status: 400,
    meaning: 'A live case has this partnerCaseId and treatmentType; `details.caseId` is the case.',
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
    meaning: 'The appointment has begun, so it can not be changed any more.',
  },
  SLOT_UNKNOWN: { status: 400, meaning: 'This slotId was never offered for this case, or it was altered.' },
  SLOT_TAKEN: {
    status: 400,
    meaning: 'Somebody else has taken the slot; `details.alternatives` has others.',
  },
  ACTIVATION_TOKEN_INVALID: {
    status: 400,
    meaning: 'The activation token is unknown, used or too old: ask the operator for a new one.',
  },
  API_KEY_LIMIT_REACHED: { status: 400, meaning: 'As many API keys are live as there may be: revoke one.' },
  API_KEY_ENDED: { status: 400, meaning: 'This API key was revoked or has expired: create a new one.' },
  INVALID_API_KEY: {
    status: 401,
    meaning: 'The X-API-Key header is missing or not accepted; `details.reason` says why.',
  },
  INVALID_CREDENTIALS: {
    status: 401,
    meaning:
      'The e-mail address or the password is wrong, or the account is not activated yet. A forgotten password is a new ' +
      'activation, from our operator.',
  },
  INVALID_ACCESS_TOKEN: {
    status: 401,
    meaning:
      'The header Authorization has no access token, or none that is accepted; `details.reason` says why.',
  },
  EID_LOGIN_REQUIRED: { status: 401, meaning: 'The customer has to log in with the eID first.' },
  IDENTITY_MISMATCH: { status: 403, meaning: 'The person logged in is not the one the case is for.' },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    meaning: 'A request that rides on a session has to come from our own pages.',
  },
  CASE_NOT_FOUND: { status: 404, meaning: 'There is no such case, or it is not yours.' },
  API_KEY_NOT_FOUND: { status: 404, meaning: 'There is no such API key, or it is not yours.' },
  NOT_FOUND: { status: 404, meaning: 'There is nothing at this address, or not for this method.' },
  RATE_LIMIT_EXCEEDED: { status: 429, meaning: 'Too many requests; wait as long as `Retry-After` says.' },
  CASE_LIMIT_EXCEEDED: { status: 429, meaning: 'Too many of these for one case in a day.' },
  TEMPORARILY_UNAVAILABLE: { status: 500, meaning: 'Nothing happened; try again after `Retry-After`.' },
  PROVIDER_UNAVAILABLE: {
    status: 500,
    meaning: "The provider's booking system does not answer; nothing was booked.",
  },
  REGISTRY_UNAVAILABLE: {
    status: 500,
    meaning:
      'The registry does not answer, so nothing was verified: neither that it is valid nor that it is not.',
  },
  OUTCOME_UNKNOWN: {
    status: 500,
    meaning: 'It may have happened, or may still happen: read the case before trying again.',
  },
  INTERNAL_ERROR: { status: 500, meaning: 'A fault of ours. Quote `details.requestId` when you report it.' },
} as const satisfies Record<string, { status: 400 | 401 | 403 | 404 | 429 | 500; meaning: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
