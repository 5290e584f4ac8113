// not all of the library, which takes 30 MB: only the worker sends
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';

/** A form that came in, and the address at which its sender believes to have posted it. */
export interface SignedForm {
  readonly signature: string;
  readonly url: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Whether Twilio has sent a form: it signs address and fields with the account's token. */
export const createSignatureCheck =
  (authToken: string) =>
  ({ signature, url, fields }: SignedForm): boolean =>
    validateRequest(authToken, signature, url, fields);
