import type { Coverage } from '@medplum/fhirtypes';
import { KARIS, OLAS, type Holder } from './people.ts';

/** The date so many days after the day on which the sandbox was started. */
export type DayIn = (days: number) => string;

/** The policies that docs/partners/verification.md lists. */
export const policies = (dayIn: DayIn): Coverage[] => [
  policy('POL-KARI-VALID', KARIS, [dayIn(-3650), dayIn(365)]),
  policy('POL-KARI-EXPIRED', KARIS, [dayIn(-3650), dayIn(-365)]),
  policy('POL-KARI-NOT-BEGUN', KARIS, [dayIn(30), dayIn(395)]),
  policy('POL-KARI-CANCELLED', KARIS, [dayIn(-3650), dayIn(365)], 'cancelled'),
  policy('POL-OLA-VALID', OLAS, [dayIn(-3650), dayIn(365)]),
  policy('POL-OLA-EXPIRED', OLAS, [dayIn(-3650), dayIn(-365)]),
];

const policy = (
  number: string,
  { reference, contained }: Holder,
  [start, end]: [string, string],
  status: Coverage['status'] = 'active',
): Coverage => ({
  resourceType: 'Coverage',
  ...(contained ? { contained } : {}),
  identifier: [{ system: 'urn:sandbox:policies', value: number }],
  status,
  beneficiary: reference,
  period: { start, end },
  payor: [{ display: 'Fjordtrygd Forsikring' }],
});
