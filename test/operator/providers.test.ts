import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import type { ProviderId } from '../../src/domain/ids.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { addFindings } from '../../src/postgres/provider-findings.ts';
import { eventually } from '../support/eventually.ts';
import { newCase } from '../support/new-case.ts';
import { startService, type TestService } from '../support/service.ts';
import { actor, operatorOf, tokenOf } from './command.ts';

const TOKEN = 'a-bearer-token-of-the-tests';

describe('the operator and the clinics', () => {
  let service: TestService;
  let guarded: RunningClinic;
  beforeAll(async () => {
    [service, guarded] = await Promise.all([
      startService({ clinics: ['fjordklinikken'] }),
      startClinic({ profile: 'nordlys', weeks: 2, bearerToken: TOKEN }),
    ]);
    process.env['PROVIDER_GUARDED_CLINIC_TOKEN'] = TOKEN;
    process.env['PROVIDER_WRONG_CLINIC_TOKEN'] = 'another';
  });
  afterAll(async () => {
    delete process.env['PROVIDER_GUARDED_CLINIC_TOKEN'];
    delete process.env['PROVIDER_WRONG_CLINIC_TOKEN'];
    await Promise.all([service.stop(), guarded.close()]);
  });

  const { done, json, refuses, run, url } = operatorOf(() => service);
  const add = (id: string, url: string, ...more: readonly string[]) => [
    ...['provider', 'add', id, '--name', `Clinic ${id}`, '--url', url],
    ...more,
  ];
  const there = () => service.clinics[0]?.fhirUrl ?? '';
  const offeredBy = async (treatmentType: string) => {
    const { data } = await json('treatment list');
    return data.find((one: any) => one.treatmentType === treatmentType)?.providers;
  };

  describe('provider add', () => {
    it('asks the booking system first, and says what it found', async () => {
      const { exit, out } = await run(
        add('second', there(), '--offer', 'psychology', '--offer', 'chiropractic'),
      );
      expect(exit).toBe(0);
      expect(out).toMatch(/psychology: \d+ free times in the next 14 days/);
      expect(out).toContain('chiropractic: no free times');
      expect(await offeredBy('psychology')).toEqual(['fjordklinikken', 'second']);
    });

    it.each([
      ['that nobody answers', 'http://127.0.0.1:9/fhir', 'no answer'],
      ['that is no FHIR server', 'self', 'HTTP'],
    ])('refuses an address %s, and registers nothing', async (_, url, why) => {
      const { exit, err } = await run(add('nowhere', url === 'self' ? service.url : url));
      expect([exit, err]).toEqual([1, expect.stringContaining(why)]);
      await refuses(1, 'no provider "nowhere"', 'provider show nowhere');
    });

    it('tries holding a time when it is allowed to, leaves nothing there, and says so in the log', async () => {
      const { exit, out, err } = await run(add('tried', there(), '--offer', 'psychology', '--write'));
      expect(exit).toBe(0);
      expect(err).toContain('Holding a free time');
      expect(out).toMatch(/passed +\d+ ms +holds a free time/);
      expect(out).toMatch(/Tried on +20\d\d-/);
      expect(await (await fetch(`${there()}/Slot?status=busy-tentative`)).json()).not.toHaveProperty('entry');
      expect(await json('log --limit 1')).toMatchObject({
        data: [{ action: 'provider.add', subject: 'tried', outcome: 'done', note: 'checked by holding' }],
      });
    });

    it('registers none where what was asked for could not be tried', async () => {
      const { exit, err } = await run(add('full', there(), '--offer', 'chiropractic', '--write'));
      expect([exit, err]).toEqual([1, expect.stringContaining('no free time of "chiropractic"')]);
      await refuses(1, '', 'provider show full');
    });

    it('registers none that refuses to be written to, says what to do, and leaves nothing there', async () => {
      const fault = { effect: 'answer', method: 'PUT', resource: 'Slot', status: 405, times: null };
      await fetch(`${service.clinics[0]?.url}/_faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      });
      const { exit, err } = await run(add('readonly', there(), '--offer', 'psychology', '--write'));
      await fetch(`${service.clinics[0]?.url}/_faults`, { method: 'DELETE' });
      expect([exit, err]).toEqual([1, expect.stringContaining('ask the clinic to let us mark times')]);
    });

    it('keeps how it is asked, says so, and asks like that', async () => {
      const settings = [
        '--search-timeout',
        '6',
        '--metadata-timeout',
        '2.5',
        '--unnamed-service',
        'psychology',
      ];
      const { out } = await run(add('patient', there(), ...settings));
      expect(out).toContain('--search-timeout 6, --metadata-timeout 2.5, --unnamed-service psychology');
      expect(await json('provider show patient')).toMatchObject({
        settings: { searchTimeoutMs: 6_000, metadataTimeoutMs: 2_500, unnamedTreatment: 'psychology' },
      });
      await done('provider change patient --unchecked --unnamed-service none --service-on-slots');
      expect((await json('provider show patient')).settings).toEqual({
        ...{ searchTimeoutMs: 6_000, metadataTimeoutMs: 2_500, serviceOnSlots: true },
      });
      await refuses(2, 'seconds from 0.5 to 8', 'provider change patient --search-timeout 9');
    });

    it('keeps what customers are to read of it, and gives that up again', async () => {
      await run([
        'provider',
        'change',
        'patient',
        '--unchecked',
        '--phone',
        '55 00 01 23',
        '--town',
        'Bergen',
      ]);
      expect((await json('provider show patient')).settings).toMatchObject({
        phone: '55 00 01 23',
        town: 'Bergen',
      });
      await done('provider change patient --unchecked --phone none');
      const { settings } = await json('provider show patient');
      expect([settings.phone, settings.town]).toEqual([undefined, 'Bergen']);
      await refuses(
        2,
        '--phone must be a telephone number',
        'provider change patient --unchecked --phone call-us',
      );
    });

    it('takes it all the same when told not to ask', async () => {
      expect((await run(add('later', 'http://127.0.0.1:9/fhir', '--unchecked'))).exit).toBe(0);
      await refuses(1, 'no answer', 'provider show later --check');
    });

    it('keeps the name of the variable with the token, and never the token', async () => {
      const { exit, out, err } = await run(
        add('guarded', guarded.fhirUrl, '--token-variable', 'PROVIDER_GUARDED_CLINIC_TOKEN'),
      );
      expect(exit).toBe(0);
      expect(out + err).not.toContain(TOKEN);
      expect(await json('provider show guarded --check')).toMatchObject({
        connection: { auth: 'bearer', tokenVariable: 'PROVIDER_GUARDED_CLINIC_TOKEN' },
        check: { verdict: 'passed', upTo: 'reading', free: [{ free: expect.any(Number) }] },
      });
      expect(JSON.stringify(await json('log'))).not.toContain(TOKEN);
    });

    it.each([
      ['that is not accepted', 'PROVIDER_WRONG_CLINIC_TOKEN', 'HTTP 401'],
      ['that is not set here', 'PROVIDER_ABSENT_CLINIC_TOKEN', 'PROVIDER_ABSENT_CLINIC_TOKEN is not set'],
    ])('refuses a token %s', async (_, variable, why) => {
      const { exit, err } = await run(add('locked', guarded.fhirUrl, '--token-variable', variable));
      expect([exit, err]).toEqual([1, expect.stringContaining(why)]);
    });

    it('takes no setting of ours for a clinic’s credential, so that none is sent there', async () => {
      for (const variable of [
        'SESSION_SECRETS',
        'DATABASE_URL',
        'EID_CLIENT_SECRET',
        'PROVIDERS_X',
        'PATH',
      ]) {
        const { exit, err } = await run(add('thief', there(), '--token-variable', variable, '--unchecked'));
        expect([variable, exit, err]).toEqual([
          variable,
          2,
          expect.stringContaining('begins with PROVIDER_'),
        ]);
      }
    });

    it('speaks to no host but those that EGRESS_HOSTS allows, where it names any', async () => {
      const settings = { EGRESS_HOSTS: 'fhir.nordlys.example, *.fjord.example' };
      const { exit, err } = await run(add('inside', there()), { settings });
      expect([exit, err]).toEqual([
        1,
        expect.stringContaining('127.0.0.1 is none of the hosts that EGRESS_HOSTS allows'),
      ]);
      const allowed = await run(add('outside', there()), { settings: { EGRESS_HOSTS: '127.0.0.1' } });
      expect([allowed.exit, allowed.err]).not.toEqual([1, expect.stringContaining('EGRESS_HOSTS')]);
    });

    it('refuses a secret in place of a name, an unknown treatment, an odd address, and an id that is taken', async () => {
      const secret = await run(add('x', there(), '--token-variable', 'eyJhbGciOi.secret'));
      expect([secret.exit, secret.err]).toEqual([
        2,
        expect.stringContaining('NAME of an environment variable'),
      ]);
      const treatment = await run(add('x', there(), '--offer', 'magic'));
      expect([treatment.exit, treatment.err]).toEqual([
        1,
        expect.stringContaining('There are: chiropractic'),
      ]);
      expect((await run(add('x', 'ftp://x'))).exit).toBe(2);
      const taken = await run(add('fjordklinikken', there()));
      expect([taken.exit, taken.err]).toEqual([1, expect.stringContaining('already')]);
    });

    it.each([
      [
        '--auth client_credentials --token-url https://x.example/token --client-id us --secret-variable PROVIDER_X_SECRET --scope a',
        {
          auth: 'client_credentials',
          tokenUrl: 'https://x.example/token',
          clientId: 'us',
          secretVariable: 'PROVIDER_X_SECRET',
          scope: 'a',
        },
      ],
      [
        '--auth backend_services --client-id us --key-variable PROVIDER_X_KEY --scope system/Slot.rs',
        { auth: 'backend_services', clientId: 'us', keyVariable: 'PROVIDER_X_KEY', scope: 'system/Slot.rs' },
      ],
      [
        '--auth basic --username us --password-variable PROVIDER_X_WORD',
        { auth: 'basic', username: 'us', passwordVariable: 'PROVIDER_X_WORD' },
      ],
    ])('keeps how it is shown who we are: %s', async (options, connection) => {
      const id = `by-${connection.auth.replace('_', '-')}`;
      const registered = JSON.parse(
        (await run([...add(id, 'https://x.example', '--unchecked', '--json'), ...options.split(' ')])).out,
      );
      expect(registered).toMatchObject({ connection });
      expect(await done(`provider show ${id}`)).toContain('(not set here)');
    });

    it('names every option that is missing, and every one that is of no use', async () => {
      const { exit, err } = await run(
        add('x', there(), '--auth', 'basic', '--username', 'us', '--scope', 'a'),
      );
      expect(exit).toBe(2);
      expect(err).toContain('--auth basic needs --password-variable.');
      expect(err).toContain('--auth basic has no use for --scope.');
    });

    it('names the kinds of booking systems when asked for another', async () => {
      const { exit, err } = await run(add('x', there(), '--kind', 'gopher'));
      expect([exit, err]).toEqual([2, expect.stringContaining('There are: fhir')]);
    });

    it('takes no address without TLS in production', async () => {
      const { exit, err } = await run(add('x', there(), '--unchecked'), {
        settings: {
          ENVIRONMENT: 'production',
          PUBLIC_URL: 'https://booking.example',
          TEMPORAL_PAYLOAD_KEYS: 'off',
        },
      });
      expect([exit, err]).toEqual([2, expect.stringContaining('https://')]);
    });
  });

  describe('a registered provider', () => {
    it('is changed', async () => {
      await run(
        add('moving', 'http://127.0.0.1:9/fhir', '--unchecked', '--token-variable', 'PROVIDER_SOME_TOKEN'),
      );
      const changed = await json(`provider change moving --auth none --url ${there()}/ --name`, 'Moved');
      expect(changed).toMatchObject({
        id: 'moving',
        name: 'Moved',
        url: there(),
        connection: { auth: 'none' },
      });
      await refuses(2, '', 'provider change moving');
      await refuses(1, '', 'provider change moving --url http://127.0.0.1:9/fhir');
      expect(await json('provider show moving')).toMatchObject({ url: there() });
    });

    it('keeps what is not mentioned of how it is shown who we are, but not from another way', async () => {
      const how = '--auth basic --username us --password-variable PROVIDER_X_WORD --unchecked';
      await run([...add('shown', 'https://x.example'), ...how.split(' ')]);
      expect(await json('provider change shown --username them --unchecked')).toMatchObject({
        connection: { auth: 'basic', username: 'them', passwordVariable: 'PROVIDER_X_WORD' },
      });
      await refuses(
        2,
        '--auth bearer needs --token-variable.',
        'provider change shown --auth bearer --unchecked',
      );
    });

    it('says what is wrong there, counted and in words', async () => {
      const database = await openDatabase(service.databaseUrl);
      await addFindings(database, [
        { providerId: 'fjordklinikken' as ProviderId, kind: 'malformed', about: 'Slot', count: 3 },
        { providerId: 'elsewhere' as ProviderId, kind: 'unreachable' },
      ]);
      await database.end();
      expect(await json('provider problems fjordklinikken')).toMatchObject({
        data: [{ providerId: 'fjordklinikken', kind: 'malformed', about: 'Slot', count: 3 }],
      });
      const all = await done('provider problems');
      expect(all).toMatch(/fjordklinikken +malformed +Slot +3/);
      expect(all).toContain('It did not answer');
      expect(await done('provider show fjordklinikken')).toMatch(/Problems +malformed/);
      await refuses(1, '', 'provider problems nowhere');
    });

    it('is tried again at any time, by reading unless more is allowed', async () => {
      expect(await json('provider show fjordklinikken --check')).toMatchObject({
        check: { verdict: 'passed', upTo: 'reading', capabilities: expect.arrayContaining([]) },
      });
      expect(await json('provider show fjordklinikken --check --write --book')).toMatchObject({
        check: { verdict: 'passed', upTo: 'booking', leftBehind: [] },
      });
      expect(await json('log')).toMatchObject({
        data: expect.arrayContaining([
          expect.objectContaining({ action: 'provider.check', note: 'checked by booking', outcome: 'done' }),
        ]),
      });
      await refuses(2, '', 'provider show fjordklinikken --write');
      await refuses(2, '', 'provider show fjordklinikken --check --book');
    });

    it('has what is held there taken back when whoever asked goes away', async () => {
      const clinic = service.clinics[0];
      const held = async () => {
        const bundle: any = await (await fetch(`${there()}/Slot?status=busy-tentative`)).json();
        return bundle.entry?.length ?? 0;
      };
      await fetch(`${clinic?.url}/_faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ effect: 'delay', delayMs: 600, method: 'PUT', resource: 'Slot', times: null }),
      });
      const leaving = new AbortController();
      const asked = fetch(`${await url()}/operator/v1/provider/show`, {
        method: 'POST',
        signal: leaving.signal,
        headers: { authorization: `Bearer ${tokenOf(actor('ola'))}` },
        body: JSON.stringify({ id: 'fjordklinikken', check: true, write: true }),
      }).catch(() => null);
      await eventually(async () => (await held()) > 0, { everyMs: 20, withinMs: 40_000 });
      leaving.abort();
      await asked;
      await fetch(`${clinic?.url}/_faults`, { method: 'DELETE' });
      // it has not gone on to the end of the check by itself
      await eventually(async () => (await json('log --limit 1')).data[0].outcome === 'PROVIDER_UNCHECKED', {
        what: 'the check has ended',
      });
      expect(await held()).toBe(0);
    });

    it('offers kinds of treatment, and stops offering them', async () => {
      await run(add('offering', there()));
      await done('provider offer offering psychology physiotherapy');
      await done('provider offer offering psychology');
      expect(await json('provider show offering')).toMatchObject({
        treatmentTypes: ['physiotherapy', 'psychology'],
      });
      await done('provider withdraw offering psychology');
      expect(await offeredBy('psychology')).not.toContain('offering');
      await refuses(1, 'It offers: physiotherapy', 'provider withdraw offering psychology');
      await refuses(1, 'There are:', 'provider offer offering magic');
    });

    it('is removed when nothing was ever booked there, and that is meant', async () => {
      await run(add('slip', there(), '--offer', 'psychology'));
      await refuses(2, '', 'provider remove slip');
      expect((await run(['provider', 'remove', 'slip'], { typed: ['yes'] })).exit).toBe(0);
      await refuses(1, '', 'provider remove slip --yes');
    });
  });

  describe('treatment', () => {
    it('is added, and can be asked for once somebody offers it', async () => {
      await done('treatment add occupational_therapy --nb Ergoterapi --en', 'Occupational therapy');
      expect(await done('treatment list')).toMatch(
        /occupational_therapy +Ergoterapi +Occupational therapy +any length +nobody/,
      );
      await done('provider offer fjordklinikken occupational_therapy');
      const { status } = await service.partner.post(
        '/cases',
        newCase({ treatmentType: 'occupational_therapy' }),
      );
      expect(status).toBe(201);
      await refuses(1, 'already', 'treatment add psychology --nb x --en x');
      await refuses(2, '', 'treatment add Psychology --nb x --en x');
    });

    it('says how long a free time must be', async () => {
      await done('treatment add speech_therapy --minutes 30 --nb Logopedi --en', 'Speech therapy');
      expect(await done('treatment list')).toMatch(/speech_therapy +Logopedi +Speech therapy +30 minutes/);
      expect(await done('treatment minutes speech_therapy 45')).toContain('at least 45 minutes');
      expect(await done('treatment minutes speech_therapy')).toContain('any length');
      await refuses(2, '', 'treatment minutes speech_therapy 0');
      await refuses(1, '', 'treatment minutes magic 30');
    });
  });
});
