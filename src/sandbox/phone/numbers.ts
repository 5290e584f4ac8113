/** Numbers that answer like a bad one, or a bad day, does at Twilio. Those of `+47 0…` are nobody's in Norway. */
export interface PhoneError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

const REFUSED: Readonly<Record<string, PhoneError>> = {
  '+4700000001': { status: 400, code: 21211, message: "Invalid 'To' Phone Number: +4700000001" },
  '+4700000002': { status: 400, code: 21614, message: 'To number: +4700000002, is not a mobile number' },
  '+4700000003': { status: 500, code: 20500, message: 'An internal server error has occurred' },
  '+4700000006': { status: 400, code: 21610, message: 'Attempt to send to unsubscribed recipient' },
  '+4700000004': { status: 429, code: 20429, message: 'Too Many Requests' },
};

/** Taken, and then not delivered: the handset is gone. */
export const UNDELIVERABLE_NUMBER = '+4700000005';
export const UNDELIVERABLE_CODE = 30003;

export const WRONG_CREDENTIALS: PhoneError = { status: 401, code: 20003, message: 'Authenticate' };
export const NOT_FOUND: PhoneError = {
  status: 404,
  code: 20404,
  message: 'The requested resource was not found',
};

/** What Twilio would say to a message with these parameters; undefined when it takes it. */
export function errorFor(parameters: URLSearchParams): PhoneError | undefined {
  const to = parameters.get('To') ?? '';
  if (to === '') return { status: 400, code: 21604, message: "A 'To' phone number is required." };
  if (!/^\+[1-9]\d{6,14}$/.test(to))
    return { status: 400, code: 21211, message: `Invalid 'To' Phone Number: ${to}` };
  if (!parameters.has('From') && !parameters.has('MessagingServiceSid')) {
    return { status: 400, code: 21603, message: "A 'From' phone number is required." };
  }
  if ((parameters.get('Body') ?? '') === '')
    return { status: 400, code: 21602, message: 'Message body is required.' };
  return REFUSED[to];
}

/** Twilio's error body. */
export function errorBody({ status, code, message }: PhoneError): object {
  return { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
}
