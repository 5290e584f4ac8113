import type { Actor, Channel, Deadline, Reminder } from './case-state.ts';
import type { MessageOrder, NameField } from './events.ts';
import type { BookingId } from './ids.ts';
import type { Instant } from './instant.ts';
import type { SlotRef } from './slot.ts';
import type { VerificationKind, VerificationNote } from './verification.ts';

/** What somebody wants of a case. */
export type Command =
  | {
      readonly type: 'confirm';
      readonly slot: SlotRef;
      /** Fresh, never used before. */ readonly bookingId: BookingId;
    }
  | { readonly type: 'cancel' }
  | { readonly type: 'requestAssistance' }
  | { readonly type: 'resolveAssistance' }
  | { readonly type: 'recall'; readonly textId: string | null }
  | { readonly type: 'expire' }
  | { readonly type: 'moveDeadline'; readonly deadline: Deadline }
  | { readonly type: 'archive' }
  | {
      readonly type: 'changeContact';
      readonly hasAddress: Readonly<Record<Channel, boolean>>;
      readonly corrected: readonly Channel[];
      /** The row that holds the corrected addresses; null where readers have them already. */
      readonly correctionId: string | null;
    }
  | {
      readonly type: 'correctName';
      readonly fields: readonly NameField[];
      /** The row that holds the corrected names. */
      readonly correctionId: string;
    }
  | { readonly type: 'resendLink'; /** null: on every channel. */ readonly channel: Channel | null }
  | { readonly type: 'retry'; readonly bookingId: BookingId; readonly grace: Deadline };

/** What has happened outside. `grace`: the deadline three days from now, for whom the clinic let down. */
export type ExternalEvent =
  /** A message failed for good on these channels. `tried`: all on which it was sent, or may still be on its way. */
  | ({
      readonly type: 'messageFailed';
      readonly channels: readonly Channel[];
      readonly tried: readonly Channel[];
    } & Pick<MessageOrder, 'kind' | 'sequence' | 'bookingId' | 'contactVersion'>)
  /** A message left on these channels. */
  | { readonly type: 'messageSent'; readonly channels: readonly Channel[]; readonly sequence: number }
  /** Whoever got a message says that it is for somebody else. */
  | { readonly type: 'contactDisowned' }
  /** It is time to send the link to addresses that were corrected. */
  | { readonly type: 'invite' }
  /** It is time to remind the customer. */
  | { readonly type: 'remind' }
  /** `reminder`: of the appointment, before it; likewise below. */
  | {
      readonly type: 'transferred';
      readonly bookingId: BookingId;
      readonly reference: string;
      readonly reminder: Reminder | null;
    }
  | {
      readonly type: 'transferRefused';
      readonly bookingId: BookingId;
      readonly gone: boolean;
      readonly grace: Deadline;
    }
  /** The transfer of this booking ended in a fault of ours. */
  | { readonly type: 'transferFailed'; readonly bookingId: BookingId }
  /** Whether the slot got held is unknown, so it must be released. */
  | { readonly type: 'holdInDoubt'; readonly slot: SlotRef; readonly bookingId: BookingId }
  | { readonly type: 'released'; readonly bookingId: BookingId; readonly verified: boolean }
  | { readonly type: 'clinicCancelled'; readonly bookingId: BookingId; readonly grace: Deadline }
  /** `slot`: where the appointment stands now. */
  | {
      readonly type: 'clinicMoved';
      readonly bookingId: BookingId;
      readonly slot: SlotRef;
      readonly reminder: Reminder | null;
    }
  /** The customer asks to be told of earlier times, or to be told no more. */
  | { readonly type: 'waitlistSet'; readonly wanted: boolean }
  /** A time has come free; `tell`: between when its customer may be told, now or when the night is over. */
  | { readonly type: 'earlierTimeFreed'; readonly slot: SlotRef; readonly tell: Reminder }
  /** It is time to tell of one that came free in the night. */
  | { readonly type: 'tellOfEarlier' }
  /** Whether the time to which the clinic moved it is another booking's of ours as well. */
  | { readonly type: 'overlapChecked'; readonly bookingId: BookingId; readonly overlaps: boolean }
  /** The clinic was seen to have another appointment at the time of ours, or no longer. */
  | { readonly type: 'clinicDoubleBooked'; readonly bookingId: BookingId; readonly doubleBooked: boolean }
  | ({ readonly type: 'verificationNoted'; readonly kind: VerificationKind } & VerificationNote)
  /** In the sandbox, its clock is so far ahead of ours now (milliseconds). */
  | { readonly type: 'clockAdvanced'; readonly ahead: number };

export type CaseInput = Command | ExternalEvent;

/** On whose behalf something is done. */
export interface Author {
  readonly actor: Actor;
  /** With which API key, where a partner does it with one. */
  readonly apiKeyId?: string | undefined;
}

/** When it is decided, and on whose behalf. Inside `decide`, `at` is the time by the case's clock. */
export interface DecisionContext extends Author {
  readonly at: Instant;
}
