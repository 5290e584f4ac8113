import type { ProviderId } from './ids.ts';
import type { Instant } from './instant.ts';

/** Which slot at which provider: ids and times only, so that it may stand in a workflow's history. */
export interface SlotRef {
  readonly providerId: ProviderId;
  /** The provider's own id of the slot. */
  readonly slot: string;
  /** The provider's own id of whose time it is. Two overlapping slots of one practitioner exclude each other. */
  readonly practitionerId: string;
  readonly start: Instant;
  readonly end: Instant;
}

export type Mode = 'in_person' | 'video';

/** A slot as the customer sees it after the login. */
export interface Slot extends SlotRef {
  readonly practitioner: string;
  /** Where to go; a short word for the video link where `mode` is `video`. */
  readonly location: string;
  readonly mode: Mode;
}

export const isSameSlot = (a: SlotRef, b: SlotRef): boolean =>
  a.providerId === b.providerId && a.slot === b.slot;

/** Nothing about it has changed: a clinic may give the same slot another time, or another person. */
export const isSameTimeAndPlace = (a: SlotRef, b: SlotRef): boolean =>
  isSameSlot(a, b) && a.practitionerId === b.practitionerId && a.start === b.start && a.end === b.end;

/** The reference alone, whatever else the object holds. */
export const slotOf = ({ providerId, slot, practitionerId, start, end }: SlotRef): SlotRef => ({
  providerId,
  slot,
  practitionerId,
  start,
  end,
});
