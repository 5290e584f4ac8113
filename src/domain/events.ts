import type { Actor, CaseStatus, Channel, Contactability, Problem } from './case-state.ts';
import type { BookingId, ProviderId } from './ids.ts';
import type { CalendarDate, Instant } from './instant.ts';
import type { VerificationKind, VerificationOutcome, VerificationReason } from './verification.ts';

/** All that events tell beyond their case's status and booking. Nothing personal: ids, codes, dates. */
export interface EventFields {
  readonly treatmentType: string;
  /** The last day to book, from then on. */
  readonly bookingDeadline: CalendarDate;
  /** The last day to book, until then. */
  readonly formerDeadline: CalendarDate;
  /** The booking that the event is about; `providerId`, `start` and `end` are this one's. */
  readonly bookingId: BookingId;
  readonly providerId: ProviderId;
  readonly start: Instant;
  readonly end: Instant;
  /** The booking that was there before. */
  readonly replaces: BookingId;
  /** The booking that the provider did not take. */
  readonly refused: BookingId;
  /** It was taken by somebody else at the provider. */
  readonly gone: boolean;
  readonly problem: Problem['code'];
  readonly channels: readonly Channel[];
  /** What was corrected. */
  readonly fields: readonly NameField[];
  readonly channel: Channel;
  /** What the message is for. */
  readonly kind: MessageKind;
  /** Why it failed; null where it did not. */
  readonly reason: DeliveryFault | null;
  readonly verification: VerificationKind;
  readonly outcome: VerificationOutcome;
  readonly reasons: readonly VerificationReason[];
  /** What of the case is not known any more, so that its partner has to send it again. */
  readonly lost: readonly LostField[];
}
export type EventField = keyof EventFields;

export const NAME_FIELDS = ['patientFirstName', 'patientLastName'] as const;
export type NameField = (typeof NAME_FIELDS)[number];

/** What a workflow does not hold of a case, by the names of the API. */
export const LOST_FIELDS = [
  'partnerCaseId',
  ...NAME_FIELDS,
  'patientEmail',
  'patientPhone',
  'injuryDate',
  'injuryDescription',
] as const;
export type LostField = (typeof LOST_FIELDS)[number];

const APPOINTMENT = ['bookingId', 'providerId', 'start', 'end'] as const;
const MESSAGE = ['kind', 'channel', 'reason'] as const;

/** Every type of event in a case's timeline: what it tells a partner, and which fields its `data` has. */
export const EVENT_TYPES = {
  'case.created': {
    meaning: 'You handed the case over.',
    data: ['treatmentType', 'bookingDeadline'],
  },
  'case.deadline_moved': {
    meaning: 'The last day to book was moved.',
    data: ['bookingDeadline', 'formerDeadline'],
  },
  'case.reopened': { meaning: 'An expired case can be booked again.', data: [] },
  'case.deadline_expired': { meaning: 'Nobody booked by the last day.', data: [] },
  'case.contact_changed': { meaning: 'An address of the customer was corrected.', data: ['channels'] },
  'case.name_corrected': {
    meaning: 'A name of the customer was corrected. What the registries said of the one before is gone.',
    data: ['fields'],
  },
  'contact.disowned': {
    meaning:
      'Whoever got a message says that it is not for them. The addresses in `data.channels` get nothing more until they are corrected.',
    data: ['channels'],
  },
  'case.recalled': { meaning: 'The case was recalled.', data: [] },
  'case.archived': { meaning: 'The case was closed for good.', data: [] },
  'case.erased': {
    meaning:
      'All that was personal of the case was erased: it is not found any more, and neither are its earlier events.',
    data: [],
  },
  'case.restored': {
    meaning:
      'The case is shown anew, after what was shown of it had been lost or wrong: this is how it stands, whatever earlier events said. Without an appointment the fields of one are missing. Send again what `data.lost` names.',
    data: ['bookingDeadline', ...APPOINTMENT, 'lost'],
  },
  'case.failed': { meaning: 'Processing stopped; `data.problem` says why.', data: ['problem'] },
  'case.retried': { meaning: 'Processing went on after an error.', data: [] },
  'link.resent': { meaning: 'The booking link was ordered again.', data: ['channels'] },
  'notification.sent': { meaning: 'A message left for the customer.', data: MESSAGE },
  'notification.delivered': { meaning: 'The channel reports that a message arrived.', data: MESSAGE },
  'notification.failed': { meaning: 'A message could not be sent or delivered for good.', data: MESSAGE },
  'booking.confirmed': { meaning: 'A time was confirmed.', data: APPOINTMENT },
  'booking.changed': {
    meaning: 'Another time was confirmed instead.',
    data: [...APPOINTMENT, 'replaces'],
  },
  'booking.transferred': {
    meaning: "The appointment stands in the provider's calendar.",
    data: ['bookingId'],
  },
  'booking.cancelled': { meaning: 'The appointment was cancelled.', data: ['bookingId'] },
  'booking.transfer_refused': {
    meaning: 'The provider did not take the appointment.',
    data: ['bookingId', 'gone'],
  },
  'booking.change_refused': {
    meaning: 'The provider did not take the other time: the appointment from before stands.',
    data: [...APPOINTMENT, 'refused', 'gone'],
  },
  'booking.cancelled_by_provider': {
    meaning: 'The provider cancelled the appointment.',
    data: ['bookingId'],
  },
  'booking.moved_by_provider': { meaning: 'The provider moved the appointment.', data: APPOINTMENT },
  'booking.release_unverified': {
    meaning: 'A cancelled slot was still busy at the provider.',
    data: ['bookingId'],
  },
  'assistance.requested': { meaning: 'The customer asked for help.', data: [] },
  'assistance.resolved': { meaning: 'The request for help is settled.', data: [] },
  'verification.completed': {
    meaning: 'A registry answered about the policy or the referral.',
    data: ['verification', 'outcome', 'reasons'],
  },
} as const satisfies Record<string, { meaning: string; data: readonly EventField[] }>;
export type EventType = keyof typeof EVENT_TYPES;
export type EventData<T extends EventType = EventType> = T extends 'case.restored'
  ? Pick<EventFields, 'bookingDeadline' | 'lost'> & Partial<Pick<EventFields, (typeof APPOINTMENT)[number]>>
  : Pick<EventFields, (typeof EVENT_TYPES)[T]['data'][number]>;

/** What has happened to a case. */
export type Happening = {
  readonly [T in EventType]: {
    readonly type: T;
    readonly at: Instant;
    readonly actor: Actor;
    /** With which of the partner's API keys it was done; left out where it was with none. */
    readonly apiKeyId?: string | undefined;
    readonly data: EventData<T>;
    /** The row of what was corrected: for the projection, and told nobody. */
    readonly correctionId?: string | null | undefined;
  };
}[EventType];

/** As it is told: with the case's status and booking after it. */
export type CaseEvent = Happening & {
  readonly status: CaseStatus;
  readonly bookingId: BookingId | null;
};

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
