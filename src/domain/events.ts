import type { Actor, Channel, Contactability } from './case-state.ts';
import type { BookingId } from './ids.ts';
import type { Instant } from './instant.ts';

/** Every type of event in a case's timeline, and what it tells a partner. */
export const EVENT_TYPES = {
  'case.created': 'The partner handed the case over.',
  'case.deadline_moved': 'The last day to book was moved.',
  'case.reopened': 'An expired case can be booked again.',
  'case.deadline_expired': 'Nobody booked by the last day.',
  'case.contact_changed': 'An address of the customer was corrected.',
  'contact.disowned':
    'Whoever got a message says that it is not for them. The addresses in `data.channels` get nothing more until they are corrected.',
  'case.recalled': 'The partner recalled the case.',
  'case.archived': 'The case was closed for good.',
  'case.failed': 'Processing stopped; `data.problem` says why.',
  'case.retried': 'Processing went on after an error.',
  'link.resent': 'The booking link was ordered again.',
  'notification.sent': 'A message left for the customer.',
  'notification.delivered': 'The channel reports that a message arrived.',
  'notification.failed': 'A message could not be sent or delivered for good.',
  'booking.confirmed': 'The customer confirmed a time.',
  'booking.changed': 'The customer confirmed another time instead.',
  'booking.transferred': "The appointment stands in the provider's calendar.",
  'booking.cancelled': 'The appointment was cancelled.',
  'booking.transfer_refused': 'The provider did not take the appointment.',
  'booking.cancelled_by_provider': 'The provider cancelled the appointment.',
  'booking.moved_by_provider': 'The provider moved the appointment.',
  'booking.release_unverified': 'A cancelled slot was still busy at the provider.',
  'assistance.requested': 'The customer asked for help.',
  'assistance.resolved': 'The request for help is settled.',
  'verification.completed':
    'A registry answered about the policy or the referral; `data` says which, the outcome, and why not.',
} as const;
export type EventType = keyof typeof EVENT_TYPES;

/** Nothing personal: ids, codes, dates. */
export interface CaseEvent {
  readonly type: EventType;
  readonly at: Instant;
  readonly actor: Actor;
  readonly data: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}

export const MESSAGE_KINDS = [
  'invitation',
  /** Nobody has booked, and the last day to is near. About no appointment; `daysLeft` of the message says how near. */
  'reminder',
  'receipt',
  'changed',
  'cancelled',
  'choose_again',
  'assistance_received',
  'recalled',
  /** The appointment is tomorrow. */
  'appointment_reminder',
  /** A time came free that is at least a week before the appointment; for whoever asked to be told. */
  'earlier_time',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** How far a message is on its channel: `sent` is handed over, `delivered` reported to have arrived, `failed` for good. */
export const DELIVERY_STATUSES = ['queued', 'sent', 'delivered', 'failed'] as const;

/** Why a message failed for good, as partners are told it; in no words of the channel's own. */
export const DELIVERY_FAULTS = {
  no_address: 'The case had no address for the channel any more.',
  invalid_address: 'It is no address of the channel.',
  address_refused: 'Nobody is reached at the address, or its server takes nothing for it.',
  no_sms: 'The number takes no SMS, as a fixed line.',
  unreachable: 'The telephone could not be reached for days, or no route leads there.',
  blocked: 'The telephone or its network blocks such messages.',
  opted_out: 'Its owner has answered that nothing more shall come.',
  not_delivered: 'The channel reports that it did not arrive, and not why.',
  gave_up: 'The channel could not take it for so long that it was given up.',
} as const;
export type DeliveryFault = keyof typeof DELIVERY_FAULTS;

/** A message to the customer, to be sent on each of `channels` by itself. */
export interface MessageOrder {
  readonly kind: MessageKind;
  readonly channels: readonly Channel[];
  /** The message's sequence number in the case: with case, kind and channel it makes the dedup id. */
  readonly sequence: number;
  /** Which appointment it is about; null where it is about none. */
  readonly bookingId: BookingId | null;
  /** The addresses it was ordered for. Once they are corrected, its failure says nothing about them. */
  readonly contactVersion: Contactability['version'];
  /** Past this instant it is dropped; null where it is worth sending however late. */
  readonly until: Instant | null;
  /** On these the very same message has failed: it is sent here in its stead. */
  readonly failedOn: readonly Channel[];
}
