/** The case's UUID v4 in lower case: the workflow's id, the customer's link, the clinic's reference. */
export type CaseId = string & { readonly brand: 'CaseId' };
/** One attempt to have one slot; never reused, so that booking the same slot again is a new booking. */
export type BookingId = string & { readonly brand: 'BookingId' };
export type PartnerId = string & { readonly brand: 'PartnerId' };
export type ProviderId = string & { readonly brand: 'ProviderId' };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** @returns the id in lower case (links get retyped in capitals), or null when the text is no UUID. */
export function parseCaseId(text: string): CaseId | null {
  const id = text.toLowerCase();
  return UUID.test(id) ? (id as CaseId) : null;
}

/** What workers without a build id are called together. */
export const UNVERSIONED = 'unversioned';
