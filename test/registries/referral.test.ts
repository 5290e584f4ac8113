import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CodeableConcept, Patient, ServiceRequest } from 'fhir/r4.d.ts';
import { dateAt } from '../../src/calendar/dates.ts';
import type { CalendarDate } from '../../src/domain/instant.ts';
import { isSameName } from '../../src/identity/name-match.ts';
import { createRegistries, type Registries } from '../../src/registries/registries.ts';
import { type OddRegistry, startOddRegistry } from './odd-registry.ts';

const TODAY = '2026-11-21' as CalendarDate;
const kari: Patient = {
  resourceType: 'Patient',
  id: 'kari',
  name: [{ family: 'Nordmann', given: ['Kari'] }],
};

const referral = (changes: Partial<ServiceRequest> = {}): ServiceRequest => ({
  resourceType: 'ServiceRequest',
  id: 'referral',
  identifier: [{ value: 'R-1' }],
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/kari' },
  ...changes,
});
const coded = (...codes: string[]): CodeableConcept => ({ coding: codes.map((code) => ({ code })) });

describe('a referral', () => {
  let registry: OddRegistry;
  let registries: Registries;
  beforeAll(async () => {
    registry = await startOddRegistry();
    registries = createRegistries({ policy: null, referral: { baseUrl: registry.url }, isSameName, dateAt });
  });
  afterAll(() => registry.stop());

  const verify = async (changes: Partial<ServiceRequest>) => {
    registry.knows([referral(changes), kari]);
    return registries.verifyReferral({
      referralNumber: 'R-1',
      person: { given: 'Kari', family: 'Nordmann' },
      on: TODAY,
      treatmentType: 'psychology',
      treatmentTypes: ['chiropractic', 'physiotherapy', 'psychology'],
    });
  };

  it('is asked for by its number', async () => {
    expect(await verify({})).toMatchObject({ outcome: 'verified' });
    expect(registry.asked.map(({ pathname, search }) => pathname + search)).toEqual([
      '/fhir/ServiceRequest?identifier=R-1&_include=ServiceRequest%3Asubject',
    ]);
  });

  it.each<[Partial<ServiceRequest>, string | null, string | null, string[]]>([
    [{}, null, null, []],
    [{ occurrencePeriod: { start: '2026-11-21', end: '2026-11-21' } }, '2026-11-21', '2026-11-21', []],
    [{ occurrencePeriod: { end: '2026-11-20' } }, null, '2026-11-20', ['expired']],
    [{ occurrencePeriod: { start: '2026-11-22' } }, '2026-11-22', null, ['not_begun']],
    [{ occurrencePeriod: { end: '2027' }, authoredOn: '2026-11-01' }, '2026-11-01', '2027-12-31', []],
    [{ authoredOn: '2025-11-22' }, '2025-11-22', '2026-11-21', []],
    [{ authoredOn: '2025-11-21' }, '2025-11-21', '2026-11-20', ['expired']],
    [{ authoredOn: '2025-11-20T23:30:00Z' }, '2025-11-21', '2026-11-20', ['expired']],
    [{ authoredOn: '2024-02-29' }, '2024-02-29', '2025-02-28', ['expired']],
    [{ authoredOn: '2026-11-22' }, '2026-11-22', '2027-11-21', ['not_begun']],
    [{ occurrenceDateTime: '2026-01-01', authoredOn: '2026-11-01' }, '2026-11-01', '2027-10-31', []],
  ])('with %j is valid from %s to %s: %j', async (changes, validFrom, validTo, reasons) => {
    expect(await verify(changes)).toMatchObject({ validFrom, validTo, reasons });
  });

  it.each<[Partial<ServiceRequest>]>([
    [{ status: 'draft' }],
    [{ status: 'on-hold' }],
    [{ status: 'revoked' }],
    [{ status: 'completed' }],
    [{ status: 'entered-in-error' }],
    [{ status: 'unknown' }],
    [{ doNotPerform: true }],
  ])('is not active with %j', async (changes) => {
    expect((await verify(changes)).reasons).toEqual(['not_active']);
  });

  it.each<[string, Partial<ServiceRequest>, string[]]>([
    ['the case’s treatment', { code: coded('psychology') }, []],
    ['the case’s among others', { code: coded('physiotherapy'), category: [coded('psychology')] }, []],
    ['another', { code: coded('physiotherapy') }, ['other_treatment']],
    ['another by its category', { category: [coded('chiropractic')] }, ['other_treatment']],
    ['something in other words', { code: coded('310129001'), category: [coded('3457005')] }, []],
    ['nothing in codes', { code: { text: 'Fysioterapi' } }, []],
  ])('for %s', async (_, changes, reasons) => {
    expect((await verify(changes)).reasons).toEqual(reasons);
  });

  it('may fail in every way at once', async () => {
    const reasons = ['wrong_person', 'not_active', 'other_treatment', 'expired'];
    const changes = {
      subject: { display: 'Ola Hansen' },
      status: 'revoked',
      code: coded('physiotherapy'),
      occurrencePeriod: { end: '2025' },
    } as const;
    expect((await verify(changes)).reasons).toEqual(reasons);
  });
});
