import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bundle, CapabilityStatement, Coverage, FhirResource, ServiceRequest } from 'fhir/r4.d.ts';
import { pickPort } from '../../dev/ports.ts';
import { type RunningRegistries, startRegistries } from '../../dev/registries.ts';

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
