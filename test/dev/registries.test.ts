import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bundle, CapabilityStatement, Coverage, FhirResource, ServiceRequest } from 'fhir/r4.d.ts';
import { readFileSync } from 'node:fs';
import { pickPort } from '../../dev/ports.ts';
import { type RunningRegistries, startRegistries } from '../../dev/registries.ts';
import { dateAt } from '../../src/calendar/dates.ts';
import type { CalendarDate } from '../../src/domain/instant.ts';
import { RegistryUnavailable } from '../../src/domain/verification.ts';
import { isSameName } from '../../src/identity/name-match.ts';
import { createRegistries } from '../../src/registries/registries.ts';

const PAGE = readFileSync(new URL('../../docs/partners/verification.md', import.meta.url), 'utf8');

/** The rows of the page's table of numbers. */
const documented = PAGE.split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, number]) => /^`(POL|REF)-/.test(number ?? ''))
  .map(([, number = '', person = '', answer = '', reasons = '']) => ({
    number: number.replaceAll('`', ''),
    person,
    answer: answer.replaceAll('`', ''),
    reasons: [...reasons.matchAll(/`(\w+)`/g)].map(([, reason]) => reason),
  }));

/** What is held back is tried once, below. */
const isSlow = ({ number }: { readonly number: string }) => number.endsWith('-SLOW');

describe('the development registries', () => {
  let registries: RunningRegistries;
  let now = new Date('2027-03-28T00:30:00+01:00');
  beforeAll(async () => {
    registries = await startRegistries({ port: (await pickPort()).port, now: () => now });
  });
  afterAll(() => registries.stop());

  const get = (path: string, init?: RequestInit) => fetch(`${registries.fhirUrl}/${path}`, init);
  const search = async <T extends FhirResource>(path: string): Promise<T[]> => {
    const bundle = (await (await get(path)).json()) as Bundle<T>;
    return (bundle.entry ?? []).flatMap(({ resource }) => resource ?? []);
  };

  it('find a policy by its number, with its person', async () => {
    const found = await search<FhirResource>(
      'Coverage?identifier=POL-KARI-VALID&_include=Coverage:beneficiary',
    );
    expect(found).toMatchObject([
      { resourceType: 'Coverage', status: 'active', beneficiary: { reference: 'Patient/kari' } },
      { resourceType: 'Patient', id: 'kari', name: [{ family: 'Nordmann' }] },
    ]);
  });

  it('find a referral whose person is contained in it', async () => {
    expect(await search<ServiceRequest>('ServiceRequest?identifier=REF-OLA-VALID')).toMatchObject([
      { subject: { reference: '#ola' }, contained: [{ id: 'ola', name: [{ family: 'Hansen' }] }] },
    ]);
  });

  it('count their days from today in Norway, however long ago they were started', async () => {
    const [policy] = await search<Coverage>('Coverage?identifier=POL-KARI-NOT-BEGUN');
    expect(policy?.period).toEqual({ start: '2027-04-27', end: '2028-04-26' });
    now = new Date('2029-03-28T00:30:00+01:00');
    const [later] = await search<Coverage>('Coverage?identifier=POL-KARI-NOT-BEGUN');
    expect(later?.period).toEqual({ start: '2029-04-27', end: '2030-04-27' });
  });

  it('are documented for every outcome', () => {
    expect(documented.length).toBeGreaterThan(20);
    const outcomes = new Set(documented.flatMap(({ answer, reasons }) => [answer, ...reasons]));
    for (const one of ['verified', 'expired', 'not_begun', 'wrong_person', 'unknown_number', 'not_active'])
      expect(outcomes).toContain(one);
  });

  it.each(['2028-02-29', '2029-12-31', '2035-10-28'])(
    'answer as documented on %s, for an injury of that day as for one of 1980',
    async (day) => {
      now = new Date(`${day}T12:00:00Z`);
      const address = { baseUrl: registries.fhirUrl };
      const asked = createRegistries({
        ...{ policy: address, referral: address, isSameName, dateAt },
      });
      const verdictOn = (number: string, person: string, injury: string) => {
        const [given = '', family = ''] = person.split(' ');
        const query = { person: { given, family } };
        return number.startsWith('POL')
          ? asked.verifyPolicy({ ...query, policyNumber: number, on: injury as CalendarDate })
          : asked.verifyReferral({
              ...{ ...query, referralNumber: number, on: day as CalendarDate },
              ...{ treatmentType: 'psychology', treatmentTypes: ['psychology', 'chiropractic'] },
            });
      };
      for (const { number, person, answer, reasons } of documented.filter((one) => !isSlow(one)))
        for (const injury of [day, '1980-01-01']) {
          const verdict = await verdictOn(number, person, injury).catch((error: unknown) => {
            if (!(error instanceof RegistryUnavailable)) throw error;
            return { outcome: 'REGISTRY_UNAVAILABLE', reasons: [] };
          });
          expect([number, injury, verdict.outcome, verdict.reasons]).toEqual([
            number,
            injury,
            answer,
            reasons,
          ]);
        }
    },
  );

  it('find nothing by another number, or by that of the other kind', async () => {
    expect(await search('Coverage?identifier=POL-NOBODY')).toEqual([]);
    expect(await search('ServiceRequest?identifier=POL-KARI-VALID')).toEqual([]);
  });

  it('answer 503 to the numbers that say so, and hold back the answer to others', async () => {
    expect((await get('Coverage?identifier=POL-DOWN')).status).toBe(503);
    expect((await get('ServiceRequest?identifier=REF-DOWN')).status).toBe(503);
    for (const path of ['Coverage?identifier=POL-SLOW', 'ServiceRequest?identifier=REF-SLOW'])
      await expect(get(path, { signal: AbortSignal.timeout(300) })).rejects.toThrow('timeout');
  });

  it('know policies, referrals and people, and no other kind of resource', async () => {
    const { rest } = (await (await get('metadata')).json()) as CapabilityStatement;
    expect(rest?.[0]?.resource?.map(({ type }) => type)).toEqual(['Patient', 'Coverage', 'ServiceRequest']);
    expect((await get('Slot')).status).toBe(404);
  });
});
