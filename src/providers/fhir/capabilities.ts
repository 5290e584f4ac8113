import type { Ability, CapabilityStatement } from '../../fhir/capability-statement.ts';
import type { Capability } from '../port.ts';
import type { Clinic } from './clinic.ts';

/** Asked anew each time: the operator wants to know how it is now. */
export async function capabilities(clinic: Clinic): Promise<readonly Capability[]> {
  const statement = await clinic.client.metadata.fresh();
  return [fhir(statement), ...ROWS.map((row) => capability(row, statement))];
}

const fhir = ({ missing, software }: CapabilityStatement): Capability =>
  missing === null
    ? { name: 'FHIR R4', state: 'yes', meaning: `says that it is ${software ?? 'a FHIR R4 server'}` }
    : {
        name: 'FHIR R4',
        state: 'unknown',
        meaning: `no CapabilityStatement (${missing}): only what every server can do is relied on`,
      };

interface Row {
  readonly name: string;
  readonly of: (statement: CapabilityStatement) => Ability;
  /** What it means when the server can do it, */
  readonly yes: string;
  /** and when it can't. */
  readonly no: string;
  /** When it does not say: `no`, unless this is given. */
  readonly unknown?: string;
}

const TRIED = 'is tried';

const ROWS: readonly Row[] = [
  {
    name: 'search Slot',
    of: ({ interaction }) => interaction('Slot', 'search-type'),
    yes: 'its free times can be shown',
    no: 'none of its times can be shown',
    unknown: TRIED,
  },
  {
    name: 'change Slot',
    of: ({ interaction }) => either(interaction('Slot', 'update'), interaction('Slot', 'patch')),
    yes: 'a time can be held while it is booked',
    no: 'no time can be held, so that none can be booked',
    unknown: TRIED,
  },
  {
    name: 'create Appointment',
    of: ({ interaction }) => interaction('Appointment', 'create'),
    yes: 'bookings get into its calendar',
    no: 'no booking gets into its calendar',
    unknown: TRIED,
  },
  {
    name: 'change Appointment',
    of: ({ interaction }) =>
      either(interaction('Appointment', 'update'), interaction('Appointment', 'patch')),
    yes: 'bookings can be cancelled there',
    no: 'each cancellation becomes a task for the operator',
    unknown: TRIED,
  },
  {
    name: 'create Patient',
    of: ({ interaction }) => interaction('Patient', 'create'),
    yes: 'it gets to know the customer',
    no: 'no booking can name its customer, so that none can be made',
    unknown: TRIED,
  },
  {
    name: 'search Appointment by identifier',
    of: ({ searchParameter }) => searchParameter('Appointment', 'identifier'),
    yes: 'a booking is found again after a lost answer',
    no: 'no booking can be found again, so that none is made',
    unknown: TRIED,
  },
  {
    name: '_include',
    of: ({ include }) => include('Slot', 'Slot:schedule'),
    yes: 'names and places come with the times',
    no: 'names and places are asked for separately, and kept for five minutes',
    unknown: 'is tried; otherwise names and places are asked for separately, and kept for five minutes',
  },
  {
    name: '_revinclude',
    of: ({ reverseInclude }) => reverseInclude('Slot', 'Appointment:slot'),
    yes: 'a free time on which an appointment stands is not shown',
    no: 'such a time is shown, and refused to whoever chooses it',
    unknown: 'is tried; otherwise such a time is shown, and refused to whoever chooses it',
  },
  {
    name: 'search Appointment by slot',
    of: ({ searchParameter }) => searchParameter('Appointment', 'slot'),
    yes: 'what the clinic itself booked on a time is seen before we take it',
    no: 'what the clinic itself booked on a time is looked for by the hour',
    unknown: 'is tried; otherwise what the clinic itself booked is looked for by the hour',
  },
  {
    name: 'search Slot by identifier',
    of: ({ searchParameter }) => searchParameter('Slot', 'identifier'),
    yes: 'times that we hold are found by our mark',
    no: 'times that we hold are found by reading all',
  },
  {
    name: 'If-Match',
    of: ({ versions }) => versions('Slot'),
    yes: 'a time that somebody takes at the same moment is noticed at once',
    no: 'each change is read back: a time that somebody takes at the same moment is noticed a little later',
  },
  {
    name: 'If-None-Exist',
    of: ({ conditionalCreate }) => conditionalCreate('Appointment'),
    yes: 'a repeated booking makes no second appointment',
    no: 'it is looked before and after: a second appointment is cancelled again',
  },
  {
    name: 'transaction',
    of: ({ transaction }) => transaction,
    yes: 'appointment and busy time come about together, if it has If-Match too',
    no: 'the time is held first, then the appointment is made',
  },
];

const either = (one: Ability, other: Ability): Ability =>
  one === 'yes' || other === 'yes' ? 'yes' : one === 'unknown' || other === 'unknown' ? 'unknown' : 'no';

function capability({ name, of, yes, no, unknown = no }: Row, statement: CapabilityStatement): Capability {
  const state = of(statement);
  return { name, state, meaning: { yes, no, unknown }[state] };
}
