import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Coverage, Patient } from 'fhir/r4.d.ts';
import { dateAt } from '../../src/calendar/dates.ts';
import type { CalendarDate } from '../../src/domain/instant.ts';
import { isSameName } from '../../src/identity/name-match.ts';
import { createRegistries, type Registries } from '../../src/registries/registries.ts';
import { type OddRegistry, startOddRegistry } from './odd-registry.ts';

const INJURY = '2026-03-29' as CalendarDate;
const KARI = { given: 'Kari', family: 'Nordmann' };

const patient = (id: string, ...name: NonNullable<Patient['name']>): Patient => ({
  resourceType: 'Patient',
  id,
  name,
});
const kari = patient('kari', { family: 'Nordmann', given: ['Kari', 'Anne'] });
const ola = patient('ola', { family: 'Hansen', given: ['Ola'] });

let ids = 0;
const policy = (changes: Partial<Coverage> = {}): Coverage => ({
  resourceType: 'Coverage',
  id: `policy-${(ids += 1)}`,
  identifier: [{ system: 'urn:other', value: 'x' }, { value: 'P-1' }],
  status: 'active',
  beneficiary: { reference: 'Patient/kari' },
  period: { start: '2026-01-01', end: '2026-12-31' },
  payor: [{ display: 'An insurer' }],
  ...changes,
});

describe('a policy', () => {
  let registry: OddRegistry;
  let registries: Registries;
  beforeAll(async () => {
    registry = await startOddRegistry();
    const policies = { baseUrl: registry.url, bearerToken: 'let-me-in' };
    registries = createRegistries({ policy: policies, referral: null, isSameName, dateAt });
  });
  afterAll(() => registry.stop());

  const verify = (policyNumber = 'P-1', on = INJURY) =>
    registries.verifyPolicy({ policyNumber, person: KARI, on });
  const reasons = async () => (await verify()).reasons;

  it('is verified when it is active, the patient’s, and covers the day of the injury', async () => {
    registry.knows([policy(), kari]);
    expect(await verify()).toEqual({
      outcome: 'verified',
      reasons: [],
      validFrom: '2026-01-01',
      validTo: '2026-12-31',
    });
  });

  it('is asked for by its number, with our credentials', async () => {
    registry.knows([policy({ identifier: [{ value: 'a,b|c$d\\e' }] }), kari]);
    expect(await verify('A,b|c$D\\e')).toMatchObject({ outcome: 'verified' });
    expect(registry.asked.map(({ pathname }) => pathname)).toEqual(['/fhir/Coverage']);
    expect(registry.asked[0]?.searchParams.get('identifier')).toBe('A\\,b\\|c\\$D\\\\e');
    expect(registry.asked[0]?.searchParams.get('_include')).toBe('Coverage:beneficiary');
    expect(registry.credentials()).toBe('Bearer let-me-in');
  });

  it('with another number is not this one, whatever the registry thinks', async () => {
    registry.knows([policy({ identifier: [{ value: 'P-11' }] }), policy({ identifier: [] }), kari]);
    expect(await verify()).toEqual({
      outcome: 'not_verified',
      reasons: ['unknown_number'],
      validFrom: null,
      validTo: null,
    });
    registry.knows([]);
    expect(await reasons()).toEqual(['unknown_number']);
  });

  describe('covers the day of the injury', () => {
    it.each([
      [undefined, []],
      [{}, []],
      [{ start: '2026-03-29' }, []],
      [{ end: '2026-03-29' }, []],
      [{ start: '2026', end: '2026' }, []],
      [{ start: '2026-03', end: '2026-03' }, []],
      [{ start: '2026-03-30' }, ['not_begun']],
      [{ start: '2026-04' }, ['not_begun']],
      [{ end: '2026-03-28' }, ['expired']],
      [{ end: '2025' }, ['expired']],
      [{ end: '2026-02' }, ['expired']],
      // half past midnight in Norway, and still the evening before in UTC
      [{ end: '2026-03-28T23:30:00Z' }, []],
      [{ end: '2026-03-28T22:30:00Z' }, ['expired']],
      [{ start: '2026-03-30T00:00:00+02:00' }, ['not_begun']],
      [{ start: '0001-01-01T00:00:00Z', end: '9999-12-31T23:59:59Z' }, []],
    ])('with a period of %j: %j', async (period, expected) => {
      registry.knows([policy({ period: period }), kari]);
      const verdict = await verify();
      expect(verdict.reasons).toEqual(expected);
      for (const day of [verdict.validFrom, verdict.validTo])
        expect(day ?? '2026-01-01').toMatch(/^\d{4}-\d\d-\d\d$/);
    });

    it('to the last day of February, in leap years too', async () => {
      for (const [end, last] of [
        ['2027-02', '2027-02-28'],
        ['2028-02', '2028-02-29'],
      ]) {
        registry.knows([policy({ period: { end } }), kari]);
        expect((await verify()).validTo).toBe(last);
      }
    });
  });

  describe('is active', () => {
    it.each(['cancelled', 'draft', 'entered-in-error', 'no-such-status'])('not when %s', async (status) => {
      registry.knows([policy({ status: status as Coverage['status'] }), kari]);
      expect(await reasons()).toEqual(['not_active']);
    });
  });

  describe('is the patient’s', () => {
    it.each<[string, Coverage, object[], Patient[]]>([
      ['sent along', policy(), [kari], []],
      ['contained', policy({ contained: [ola, kari], beneficiary: { reference: '#kari' } }), [], []],
      ['only referred to', policy(), [], [ola, kari]],
      [
        'referred to by a version',
        policy({ beneficiary: { reference: 'Patient/kari/_history/3' } }),
        [kari],
        [],
      ],
      [
        'referred to by a whole address',
        policy({ beneficiary: { reference: 'http://inner:8080/fhir/Patient/kari' } }),
        [],
        [kari],
      ],
      ['there by name only', policy({ beneficiary: { display: 'Nordmann, Kari Anne' } }), [], []],
      [
        'of another name by now',
        policy(),
        [patient('kari', { family: 'Vik' }, { text: 'Kari Nordmann' })],
        [],
      ],
    ])('when the patient is %s', async (_, coverage, alongside, readable) => {
      registry.knows([coverage, ...alongside], readable);
      expect(await reasons()).toEqual([]);
    });

    it('no: then how long it runs is nobody’s business', async () => {
      registry.knows([policy({ beneficiary: { reference: 'Patient/ola' }, period: { end: '2025' } }), ola]);
      expect(await verify()).toEqual({
        outcome: 'not_verified',
        reasons: ['wrong_person', 'expired'],
        validFrom: null,
        validTo: null,
      });
    });

    it.each<[string, Coverage, object[]]>([
      ['is unknown there', policy(), []],
      ['has no name', policy(), [patient('kari')]],
      ['has half a name', policy(), [patient('kari', { family: 'Nordmann' })]],
      ['is not in it', policy({ contained: [ola], beneficiary: { reference: '#kari' } }), []],
      ['is a group', policy({ beneficiary: { reference: 'Group/kari' } }), []],
      ['is nobody', policy({ beneficiary: {} }), []],
    ])('nobody knows, when the patient %s', async (_, coverage, alongside) => {
      registry.knows([coverage, ...alongside]);
      expect(await verify()).toMatchObject({ reasons: ['person_unknown'], validFrom: null, validTo: null });
    });
  });

  describe('of which there are several', () => {
    const [cancelled, expired, olas] = [
      policy({ status: 'cancelled', period: { end: '2025' } }),
      policy({ period: { end: '2025-06-30' } }),
      policy({ beneficiary: { reference: 'Patient/ola' } }),
    ];

    it('is verified when any one holds in all', async () => {
      registry.knows([cancelled, olas, policy(), expired, kari, ola]);
      expect(await verify()).toMatchObject({ outcome: 'verified', validTo: '2026-12-31' });
    });

    it('is judged by the best otherwise: the patient’s own, with the fewest reasons, valid longest', async () => {
      registry.knows([olas, cancelled, kari, ola]);
      expect(await reasons()).toEqual(['not_active', 'expired']);
      registry.knows([cancelled, policy({ period: { end: '2024' } }), expired, kari]);
      expect(await verify()).toMatchObject({ reasons: ['expired'], validTo: '2025-06-30' });
    });
  });
});
