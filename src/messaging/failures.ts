import type { DeliveryFault } from '../domain/events.ts';

/**
 * The address can't be reached, now or ever: wrong, closed, blocked by its owner, or of a kind that takes no such
 * messages. Only another address helps.
 */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code: DeliveryFault;

  constructor(code: DeliveryFault) {
    super(code);
    this.code = code;
  }
}

/** The message was not taken, for any other reason: the channel is away, busy, or set up wrongly. Try again later. */
export class DeliveryUnavailable extends Error {
  override readonly name = 'DeliveryUnavailable';
  /** For instance `smtp_451`, `ECONNREFUSED` or `twilio_20429`. */
  readonly code: string;

  /** No cause: what the mail and SMS clients throw quotes the address and the message. */
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
