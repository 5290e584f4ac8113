import type { BookingRequest, BookingSystem } from '../providers/port.ts';

export interface TrialRefusals {
  /** Whether a partner ordered that this booking be refused: the same answer however often the same booking asks. */
  refuses(booking: Pick<BookingRequest, 'caseId' | 'bookingId' | 'slot'>): Promise<boolean>;
}

/** A booking system that refuses for good what a partner ordered it to, as one does that takes no bookings of ours. */
export const refusingOnOrder = (system: BookingSystem, refusals: TrialRefusals): BookingSystem => ({
  ...system,
  book: async (booking) =>
    (await refusals.refuses(booking)) ? { outcome: 'refused', cause: 'ordered' } : system.book(booking),
});
