import { instant } from '../../domain/instant.ts';
import type { Slot } from '../../domain/slot.ts';
import type { SearchParameters } from '../../fhir/client.ts';
import type { ServiceSaidBy } from '../adapter.ts';
import type { EntryFault, SlotQuery, TimeRange } from '../port.ts';
import { isLive, slotsOf } from './appointments.ts';
import type { Clinic } from './clinic.ts';
import { bookingOf } from './mark.ts';
import { type DescribedSlot, describeSlot, findSlots, serviceOf } from './slots.ts';

/**
 * All free slots in one search, since one clinic says the service of some on the slot, of others on the schedule, on
 * whom that is for, or nowhere: a search by service would lose those in silence. Everything is judged here again, too:
 * servers ignore search parameters that they don't know.
 */
export async function searchSlots(clinic: Clinic, { treatmentType, from, to }: SlotQuery): Promise<Slot[]> {
  const now = instant(clinic.now());
  const range = { from: from > now ? from : now, to };
  if (range.from >= range.to) return [];
  const free = freeIn(clinic, range, treatmentType);
  const { slots, directory, appointments } = await findSlots(clinic, free, { withAppointments: true });
  // Staff book a time and leave its slot as it is.
  const taken = new Set(appointments.filter(isLive).flatMap(slotsOf));
  const shown: Slot[] = [];
  const faults = new Map<EntryFault, number>();
  const found: Record<ServiceSaidBy, number> = { slot: 0, schedule: 0, actor: 0, nobody: 0 };
  const others = new Map<string, number>();
  let unnamed = 0;
  for (const resource of slots) {
    const described = describeSlot(clinic, resource, directory);
    if (typeof described === 'string') increase(faults, described);
    else if (taken.has(resource.id) || !isFree(described, range)) continue;
    else if (isFor(clinic, described, treatmentType)) {
      found[described.saidBy] += 1;
      shown.push(described.view);
    } else if (described.saidBy === 'nobody') unnamed += 1;
    else increase(others, codeOf(described));
  }
  const single = withoutDuplicates(shown.sort(byTimeAndPractitioner));
  if (single.length < shown.length) faults.set('doubled', shown.length - single.length);
  for (const [fault, count] of faults) clinic.onSkipped('Slot', count, fault);
  clinic.onSearched({ treatmentType, found, unnamed, others });
  return single;
}

const PAGE = ['_count', '500'] as const;

const freeIn = (
  { serviceOnSlots }: Clinic,
  { from, to }: TimeRange,
  treatmentType: string,
): SearchParameters => [
  ...[['status', 'free'] as const, ['start', `ge${from}`] as const, ['start', `lt${to}`] as const, PAGE],
  ...(serviceOnSlots ? [['service-type', treatmentType] as const] : []),
];

const isFree = ({ resource, view }: DescribedSlot, { from, to }: TimeRange): boolean =>
  resource.status === 'free' && bookingOf(resource) === null && view.start >= from && view.start < to;

const isFor = ({ unnamedTreatment }: Clinic, slot: DescribedSlot, treatmentType: string): boolean =>
  slot.saidBy === 'nobody'
    ? unnamedTreatment === treatmentType
    : serviceOf(slot, treatmentType) !== undefined;

const codeOf = ({ services: [first] }: DescribedSlot): string =>
  first?.coding?.find(({ code }) => code !== undefined)?.code ?? first?.text ?? 'without a code';

const increase = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const byTimeAndPractitioner = (a: Slot, b: Slot): number =>
  compare(a.start, b.start) ||
  compare(a.practitionerId, b.practitionerId) ||
  compare(a.end, b.end) ||
  compare(a.slot, b.slot);

/** Of the same time of the same practitioner, the first: nobody can be at two places. Others may overlap as they like. */
const withoutDuplicates = (sorted: readonly Slot[]): Slot[] =>
  sorted.filter((slot, index) => {
    const before = sorted[index - 1];
    return (
      slot.start !== before?.start || slot.end !== before.end || slot.practitionerId !== before.practitionerId
    );
  });
