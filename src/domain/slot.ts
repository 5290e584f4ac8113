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
  readonly details: SlotDetails;
}

/** What the clinic says of the place and of who treats, beside what every list of times shows; null where it is silent. */
export interface SlotDetails {
  /** Null for video, too: it is wherever the customer is. */
  readonly town: string | null;
  /** The clinic's telephone, as it writes it. */
  readonly phone: string | null;
  /** Of the place: WGS 84, in degrees. */
  readonly position: { readonly latitude: number; readonly longitude: number } | null;
  /** What to bring, how to find the door, how to attend by video: the clinic's own words, with line breaks. */
  readonly instructions: string | null;
  /** Which languages the practitioner speaks (BCP 47, e.g. `nb`, `pl`). */
  readonly languages: readonly string[];
  readonly gender: 'female' | 'male' | null;
  /** What the practitioner is, in the clinic's words, e.g. `Psykologspesialist`. */
  readonly profession: string | null;
}

export const NO_DETAILS: SlotDetails = {
  town: null,
  phone: null,
  position: null,
  instructions: null,
  languages: [],
  gender: null,
  profession: null,
};

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
