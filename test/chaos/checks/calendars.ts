import type { Check, Outside, SeenAppointment, SeenRow, SeenSlot, Violation } from '../outside.ts';

/** P2: at most one live appointment a case, in the clinics' calendars as in our books; never two in one slot. */
export const calendars: Check = (outside) => [
  ...outside.rows.flatMap((row) => ofCase(row, outside)),
  ...overlaps(outside.appointments.filter(({ isLive }) => isLive)),
  ...blockedSlots(outside),
];

const violation = (caseId: string | null, expected: string, seen: string): Violation => ({
  promise: 'P2',
  caseId,
  expected,
  seen,
});

function ofCase({ id, status, bookingId, state }: SeenRow, { appointments, claims }: Outside): Violation[] {
  const live = appointments.filter(({ caseId, isLive }) => caseId === id && isLive);
  const kept = claims.filter((claim) => claim.caseId === id && claim.isForGood);
  const described = live.length === 0 ? 'none' : live.map(inWords).join('; ');
  if (status !== 'booked') {
    return [
      ...(live.length > 0
        ? [violation(id, `no live appointment of a case that is ${status}`, described)]
        : []),
      ...(kept.length > 0
        ? [
            violation(
              id,
              `no hour kept for a case that is ${status}`,
              `a claim of booking ${kept[0]?.bookingId}`,
            ),
          ]
        : []),
    ];
  }
  const booking = state.bookings.find((one) => one.bookingId === bookingId);
  const [appointment, ...others] = live;
  if (!appointment || others.length > 0 || !booking)
    return [violation(id, 'exactly one live appointment of a booked case', described)];
  const isSame =
    appointment.bookingId === bookingId &&
    appointment.clinic === booking.providerId &&
    appointment.start === Date.parse(booking.start);
  const expected = `at ${booking.providerId}, ${booking.start}, booking ${bookingId}`;
  return [
    ...(isSame ? [] : [violation(id, expected, described)]),
    ...(kept.length === 1 && kept[0]?.bookingId === bookingId
      ? []
      : [violation(id, `its hour kept in our books for booking ${bookingId}`, `${kept.length} claims`)]),
  ];
}

function overlaps(live: readonly SeenAppointment[]): Violation[] {
  const calendars_ = Map.groupBy(live, ({ clinic, practitioner }) => `${clinic} ${practitioner}`);
  return [...calendars_.values()].flatMap((calendar) => {
    const inOrder = calendar.toSorted((one, other) => one.start - other.start);
    return inOrder.flatMap((one, i) => {
      const next = inOrder[i + 1];
      if (!next || next.start >= one.end) return [];
      return [violation(one.caseId, 'one appointment at a time', `${inWords(one)}; ${inWords(next)}`)];
    });
  });
}

/**
 * A hold whose activity had timed out may still arrive, behind its own release. The sweep frees it: once the claim has
 * ended (10 minutes), with two of its looks (every 5 minutes).
 */
const SWEPT_WITHIN = 21 * 60_000;

export const isLeftToTheSweep = ({ heldFor }: SeenSlot): boolean =>
  heldFor !== null && heldFor < SWEPT_WITHIN;

function blockedSlots({ slots, appointments }: Outside): Violation[] {
  const standing = new Map(
    appointments
      .filter(({ isLive }) => isLive)
      .flatMap((one) => one.slots.map((slot) => [`${one.clinic}/${slot}`, one] as const)),
  );
  return slots.flatMap((slot) => {
    const { clinic, id, isFree, mark } = slot;
    const one = standing.get(`${clinic}/${id}`);
    if (!one && isLeftToTheSweep(slot)) return [];
    const where = `slot ${id} at ${clinic}`;
    if (!one && !isFree)
      return [violation(null, `${where} free: nobody has an appointment there`, `busy, ${mark}`)];
    if (one && isFree) return [violation(one.caseId, `${where} busy`, `free, in spite of ${inWords(one)}`)];
    if ((one?.bookingId ?? null) !== mark)
      return [violation(one?.caseId ?? null, `${where} marked ${one?.bookingId}`, String(mark))];
    return [];
  });
}

const inWords = ({ clinic, practitioner, start, bookingId, id }: SeenAppointment): string =>
  `${clinic}, ${practitioner}, ${new Date(start).toISOString()} (Appointment/${id}, booking ${bookingId})`;
