import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import type { z } from 'zod';
import { reachOf } from '../../src/config/network.ts';
import {
  apiSettings,
  migrateSettings,
  readCredential,
  readSettings,
  SettingsError,
  VARIABLES,
  workerSettings,
} from '../../src/config/settings.ts';

const SECRET = 'a'.repeat(32);
const COMMON = {
  DATABASE_URL: 'postgresql://user:hunter2@localhost/cases',
  ENVIRONMENT: 'test',
  PUBLIC_URL: 'https://timebestilling.example/',
  MASTER_KEYS: `test:${'A'.repeat(43)}=`,
  TEMPORAL_ADDRESS: 'localhost:7233',
  SUPPORT_EMAIL: 'hjelp@timebestilling.example',
  SUPPORT_PHONE: '+47 21 00 00 00',
};
const API = {
  ...COMMON,
  PARTNER_DATABASE_URL: 'postgresql://partner:hunter2@localhost/cases',
  SESSION_SECRETS: SECRET,
  IDENTITY_SECRETS: `k1:${SECRET}`,
  TWILIO_AUTH_TOKEN: 'hush',
  SERVICE_NAME: 'Timebestilling AS',
  SERVICE_ORGANISATION_NUMBER: '999 999 999',
  SERVICE_ADDRESS: 'Storgata 1, 0155 Oslo',
  EID_ISSUER: 'https://eid.example',
  EID_CLIENT_ID: 'booking',
  EID_CLIENT_SECRET: 'hush',
  EID_ACR_ACCEPTED: 'high',
};
const WORKER = {
  ...COMMON,
  SMTP_URL: 'smtp://localhost:25',
  MAIL_FROM: 'Timebestilling <post@timebestilling.example>',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'hush',
  TWILIO_FROM: '+4759440000',
};

/** The lines of the complaint. */
function faultsOf(environment: Record<string, string | undefined>, schema: z.ZodObject = apiSettings) {
  try {
    readSettings(schema, environment);
  } catch (error) {
    if (error instanceof SettingsError)
      return error.message
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('are read with their defaults', () => {
    expect(readSettings(apiSettings, API)).toMatchObject({
      PUBLIC_URL: 'https://timebestilling.example',
      PORT: 3000,
      TEMPORAL_NAMESPACE: 'default',
      TRUST_PROXY: 0,
      ARCHIVE_AFTER_DAYS: 30,
      SESSION_SECRETS: [SECRET],
    });
    expect(readSettings(workerSettings, WORKER)).toMatchObject({ WORKER_HEALTH_PORT: 3001 });
  });

  it('are all named at once when they are missing, and only then', () => {
    expect(faultsOf({}).sort()).toEqual(
      Object.keys(API)
        .map((variable) => `${variable}: is missing`)
        .sort(),
    );
    expect(faultsOf(API)).toEqual([]);
  });

  it('are named when they are wrong, without a word of what they hold', () => {
    const wrong = {
      DATABASE_URL: 'mysql://user:hunter2@localhost',
      ENVIRONMENT: 'staging',
      PUBLIC_URL: 'ftp://hunter2',
      SUPPORT_EMAIL: 'hunter2',
      PORT: 'hunter2',
      SESSION_SECRETS: `${SECRET},hunter2`,
      IDENTITY_SECRETS: 'hunter2',
      TRUST_PROXY: 'true',
      ARCHIVE_AFTER_DAYS: '0',
      LOG_LEVEL: 'hunter2',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'hunter2:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'hunter2',
      OTEL_TRACES_SAMPLER: 'hunter2',
      OTEL_TRACES_SAMPLER_ARG: '2',
    };
    const faults = faultsOf({ ...API, ...wrong });
    expect(faults.map((line) => line.split(':')[0]).sort()).toEqual(Object.keys(wrong).sort());
    expect(faults.join()).not.toContain('hunter2');
  });

  it.each([
    ['sslmode=prefer', 'must have an sslmode of disable, require, verify-ca, verify-full'],
    ['sslmode=no-verify', 'must have an sslmode of disable, require, verify-ca, verify-full'],
    ['sslrootcert=/etc/hosts', 'must have sslmode=verify-full where it has settings of TLS'],
    ['sslmode=verify-ca', 'must have sslrootcert with sslmode=verify-ca'],
    ['sslmode=require&sslrootcert=system', 'must have sslmode=verify-full with sslrootcert=system'],
    ['sslmode=verify-full&sslcert=/etc/hosts', 'must have sslcert and sslkey together'],
    ['ssl=true', 'has a setting of TLS other than sslmode, sslrootcert, sslcert and sslkey'],
    [
      'sslmode=verify-full&sslrootcert=/nowhere/hunter2',
      'names a file by sslrootcert that can not be read (ENOENT)',
    ],
  ])('do not take of PostgreSQL ?%s, which would be less than is meant', (tls, why) => {
    expect(faultsOf({ ...API, DATABASE_URL: `${API.DATABASE_URL}?${tls}` })).toEqual([
      `DATABASE_URL: ${why}`,
    ]);
  });

  it('have a collector and what it asks for, as OpenTelemetry writes that', () => {
    const collector = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%2Cb,tenant=booking',
      OTEL_TRACES_SAMPLER: '',
    };
    expect(readSettings(apiSettings, { ...API, ...collector })).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: { 'api-key': 'a,b', tenant: 'booking' },
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    });
  });

  it('take several secrets while one replaces another, and proxies by number or address', () => {
    const next = 'b'.repeat(32);
    const settings = readSettings(apiSettings, {
      ...API,
      SESSION_SECRETS: `${next},${SECRET}`,
      IDENTITY_SECRETS: `k2:${next},k1:${SECRET}`,
      TRUST_PROXY: '10.0.0.0/8, loopback',
    });
    expect(settings.SESSION_SECRETS).toEqual([next, SECRET]);
    expect(settings.IDENTITY_SECRETS).toEqual([
      { id: 'k2', secret: next },
      { id: 'k1', secret: SECRET },
    ]);
    for (const wrong of [`k1:${next},k1:${SECRET}`, `k1:${SECRET},`, SECRET, `K 1:${SECRET}`])
      expect(faultsOf({ ...API, IDENTITY_SECRETS: wrong })).toEqual([
        expect.stringMatching(/^IDENTITY_SECRETS: must (be `<id>:|have each id once)/),
      ]);
    expect(settings.TRUST_PROXY).toEqual(['10.0.0.0/8', 'loopback']);
  });

  it('take master keys as they are or as Vault has wrapped them, with what opens those', () => {
    const [plain, wrapped] = [`own:${'A'.repeat(43)}=`, 'at-vault:vault:v2:c2VhbGVk'];
    expect(readSettings(apiSettings, { ...API, MASTER_KEYS: plain })).toMatchObject({
      ...{
        MASTER_KEYS: [{ id: 'own', key: Buffer.alloc(32) }],
        VAULT_TRANSIT_KEY: 'transit/treatment-booking',
      },
    });
    const both = { ...API, MASTER_KEYS: `${wrapped},${plain}` };
    expect(faultsOf(both)).toEqual([
      'VAULT_ADDR: is missing: Vault has wrapped a master key',
      'VAULT_TOKEN: is missing: Vault has wrapped a master key',
    ]);
    const vault = { VAULT_ADDR: 'https://vault.example:8200/', VAULT_TOKEN: 'hush' };
    const { MASTER_KEYS, VAULT_ADDR } = readSettings(apiSettings, { ...both, ...vault });
    expect(MASTER_KEYS).toMatchObject([{ id: 'at-vault', key: 'vault:v2:c2VhbGVk' }, { id: 'own' }]);
    expect(VAULT_ADDR).toBe('https://vault.example:8200');
    for (const wrong of ['own:short', `${plain},${plain}`, 'at-vault:vault:2:c2VhbGVk', `${plain},`])
      expect(faultsOf({ ...API, MASTER_KEYS: wrong })).toEqual([
        expect.stringMatching(/^MASTER_KEYS: must (be `<id>:|have each id once)/),
      ]);
    expect(faultsOf({ ...API, VAULT_TRANSIT_KEY: 'treatment-booking' })).toHaveLength(1);
    // what Temporal keeps is encrypted by a key of its own
    expect(faultsOf({ ...API, ...vault, TEMPORAL_PAYLOAD_KEYS: wrapped })).toHaveLength(1);
  });

  it('bound the connections of each process, and let the worker reach PostgreSQL past a pooler', () => {
    expect(readSettings(apiSettings, { ...API, DATABASE_POOL_SIZE: '' }).DATABASE_POOL_SIZE).toBe(20);
    const direct = { DATABASE_DIRECT_URL: 'postgresql://u:p@db.example/cases', DATABASE_POOL_SIZE: '8' };
    expect(readSettings(workerSettings, { ...WORKER, ...direct })).toMatchObject({
      ...direct,
      DATABASE_POOL_SIZE: 8,
    });
    for (const wrong of ['2', '501', '8.5', 'many'])
      expect(faultsOf({ ...API, DATABASE_POOL_SIZE: wrong })).toEqual([
        expect.stringMatching(/^DATABASE_POOL_SIZE: /),
      ]);
    expect(faultsOf({ ...WORKER, ...direct, ENVIRONMENT: 'production' }, workerSettings)).toContainEqual(
      expect.stringMatching(/^DATABASE_DIRECT_URL: must have \?sslmode=verify-full/),
    );
  });

  it('take proxies as Express does: by number, address, network or name', () => {
    const taken: [string, number | string[]][] = [
      ['', 0],
      ['0', 0],
      ['2', 2],
      ['10', 10],
      ['192.0.2.7', ['192.0.2.7']],
      ['10.0.0.0/8,192.0.2.0/24', ['10.0.0.0/8', '192.0.2.0/24']],
      [' uniquelocal , 2001:db8::/32 ', ['uniquelocal', '2001:db8::/32']],
      ['::1', ['::1']],
      ['::ffff:10.0.0.1', ['::ffff:10.0.0.1']],
      ['198.51.100.1/32, fd00::/8', ['198.51.100.1/32', 'fd00::/8']],
    ];
    for (const [text, trusted] of taken) {
      const { TRUST_PROXY } = readSettings(apiSettings, { ...API, TRUST_PROXY: text });
      expect(TRUST_PROXY).toEqual(trusted);
      expect(() => express().set('trust proxy', TRUST_PROXY)).not.toThrow();
    }
  });

  it('trust no proxies that are misspelt, or that are everybody, and say what is allowed', () => {
    const refused = [
      ...['true', 'TRUE', 'false', 'yes', '*', 'all', 'localhost', 'proxy.example', 'hunter2'],
      ...['11', '99999', '-1', '1.5', '1,10.0.0.0/8', '10.0.0.0/8,', ',', 'loopback,yes'],
      ...['10.0.0', '256.0.0.1', '010.0.0.1', '10.0.0.1:80', '[::1]', 'fe80::1%eth0'],
      ...['0.0.0.0/0', '0.0.0.0/1', '128.0.0.0/1', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8'],
      ...['10.0.0.0/255.0.0.0', '::/0', '::/8', '100::/7', '2000::/3', '2001:db8::/129'],
      // all of IPv4
      ...['::ffff:0:0/96', '0:0:0:0:0:ffff:0:0/96'],
    ];
    for (const text of refused)
      expect([text, faultsOf({ ...API, TRUST_PROXY: text })]).toEqual([
        text,
        [expect.stringMatching(/^TRUST_PROXY: must be the number of proxies in front .* their addresses/)],
      ]);
  });

  describe('of the eID', () => {
    const claims = { EID_GIVEN_NAME_CLAIM: 'fornavn', EID_FAMILY_NAME_CLAIM: 'etternavn' };

    it('have the standard claims, and a logout that ends our own session only', () => {
      expect(readSettings(apiSettings, { ...API, EID_ACR_VALUES: ' ' })).toMatchObject({
        EID_SCOPE: 'openid profile',
        EID_ACR_VALUES: undefined,
        EID_ACR_CLAIM: 'acr',
        EID_ACR_ACCEPTED: ['high'],
        EID_PERSON_CLAIM: 'sub',
        EID_GIVEN_NAME_CLAIM: 'given_name',
        EID_FAMILY_NAME_CLAIM: 'family_name',
        EID_FULL_NAME_CLAIM: 'name',
        EID_BIRTH_DATE_CLAIM: 'birthdate',
        EID_LOGOUT: 'here',
        EID_PROMPT: 'login',
      });
      const asked = readSettings(apiSettings, { ...API, EID_PROMPT: 'none', EID_MAX_AGE: '0' });
      expect(asked).toMatchObject({ EID_PROMPT: 'none', EID_MAX_AGE: 0 });
    });

    it('that would give no name are refused, with the reason', () => {
      const fault = /^EID_SCOPE: must have profile in it: without, the eID does not tell /;
      for (const nameless of [{}, { EID_FULL_NAME_CLAIM: 'given_name' }, { EID_GIVEN_NAME_CLAIM: 'fornavn' }])
        expect(faultsOf({ ...API, EID_SCOPE: 'openid', ...nameless })).toEqual([
          expect.stringMatching(fault),
        ]);
    });

    it('may leave the scope profile out where the name has claims of its own', () => {
      for (const named of [claims, { EID_FULL_NAME_CLAIM: 'navn' }])
        expect(faultsOf({ ...API, EID_SCOPE: 'openid navn', ...named })).toEqual([]);
    });

    it.each([
      ['EID_SCOPE', 'profile', /must have openid in it/],
      ['EID_ACR_ACCEPTED', ' ', /must name what is sure enough/],
      ['EID_PERSON_CLAIM', 'sub acr', /must be the name of one claim/],
      ['EID_GIVEN_NAME_CLAIM', '', /must be the name of one claim/],
      ['EID_PROMPT', 'consent', /"login"\|"select_account"\|"none"/],
      ['EID_MAX_AGE', '-1', />=0/],
      ['EID_LOGOUT', 'everywhere', /"here"\|"eid"/],
      ['EID_ISSUER', 'http://eid.example', /must be an https:\/\/ address, or one of this machine/],
    ])('%s is refused as %j', (variable, value, fault) => {
      expect(faultsOf({ ...API, [variable]: value })).toEqual([
        expect.stringMatching(new RegExp(`^${variable}: .*${fault.source}`)),
      ]);
    });

    it('take an eID on this machine over plain http', () => {
      for (const EID_ISSUER of ['http://127.0.0.1:4000', 'http://localhost:4000/', 'http://[::1]:4000'])
        expect(faultsOf({ ...API, EID_ISSUER })).toEqual([]);
    });
  });

  it('that are left empty are as good as left out, where they may be', () => {
    expect(readSettings(apiSettings, { ...API, TEMPORAL_API_KEY: '', EID_ACR_VALUES: '' })).toMatchObject({});
    expect(faultsOf({ ...API, EID_CLIENT_SECRET: '' })).toEqual([
      expect.stringMatching(/^EID_CLIENT_SECRET: /),
    ]);
  });

  it('are all listed for whoever writes deployments', () => {
    expect(VARIABLES).toEqual(expect.arrayContaining([...Object.keys(API), ...Object.keys(WORKER)]));
    expect(VARIABLES).toEqual([...new Set(VARIABLES)].sort());
  });

  describe('in production', () => {
    const random = (seed: string) => createHash('sha256').update(seed).digest('hex');
    const payloadKey = (id: string) => `${id}:${createHash('sha256').update(id).digest('base64')}`;
    const PRODUCTION = {
      ...API,
      ENVIRONMENT: 'production',
      SESSION_SECRETS: random('session'),
      IDENTITY_SECRETS: `k1:${random('identity')}`,
      TEMPORAL_PAYLOAD_KEYS: payloadKey('2026-11'),
    };

    it('are as they are elsewhere, when they are safe', () => {
      expect(faultsOf(PRODUCTION)).toEqual([]);
      expect(faultsOf({ ...PRODUCTION, SESSION_SECRETS: `${random('next')},${random('session')}` })).toEqual(
        [],
      );
      for (let i = 0; i < 200; i += 1)
        expect(faultsOf({ ...PRODUCTION, SESSION_SECRETS: random(`s${i}`).slice(0, 32) })).toEqual([]);
      const remote = {
        DATABASE_URL: 'postgresql://u:p@db.example/cases',
        TEMPORAL_ADDRESS: 'temporal.example:7233',
      };
      const tls = { DATABASE_URL: `${remote.DATABASE_URL}?sslmode=verify-full`, TEMPORAL_TLS: 'on' };
      expect(faultsOf({ ...PRODUCTION, ...remote, ...tls })).toEqual([]);
      expect(faultsOf({ ...PRODUCTION, ...remote, ...tls, TEMPORAL_TLS: '', TEMPORAL_API_KEY: 'k' })).toEqual(
        [],
      );
      expect(faultsOf({ ...PRODUCTION, ...remote, BACKEND_NETWORK: 'encrypted' })).toEqual([]);
    });

    it('take `true` for TLS to Temporal, as its own tools say it, and never pass over what they do not know', () => {
      const remote = { ...PRODUCTION, TEMPORAL_ADDRESS: 'temporal.example:7233' };
      for (const TEMPORAL_TLS of ['on', 'true'])
        expect(readSettings(apiSettings, { ...remote, TEMPORAL_TLS }).TEMPORAL_TLS).toBe(true);
      for (const TEMPORAL_TLS of ['yes', 'TRUE', '1'])
        expect(faultsOf({ ...API, TEMPORAL_TLS })).toEqual([expect.stringMatching(/^TEMPORAL_TLS: /)]);
      expect(readSettings(apiSettings, { ...API, TEMPORAL_TLS: 'false' }).TEMPORAL_TLS).toBe(false);
    });

    it('keep all that speak to PostgreSQL from it without TLS, who brings it forward too, in the same words', () => {
      const DATABASE_URL = 'postgresql://u:p@db.example/cases';
      const plain = faultsOf({ ...PRODUCTION, DATABASE_URL });
      expect(plain).toEqual([expect.stringMatching(/^DATABASE_URL: must have \?sslmode=verify-full/)]);
      const { ENVIRONMENT } = PRODUCTION;
      expect(faultsOf({ ENVIRONMENT, DATABASE_URL }, migrateSettings)).toEqual(plain);
      for (const safe of [
        { DATABASE_URL: `${DATABASE_URL}?sslmode=verify-full` },
        { DATABASE_URL, BACKEND_NETWORK: 'encrypted' },
        { DATABASE_URL, ENVIRONMENT: 'test' },
      ])
        expect(faultsOf({ ENVIRONMENT, ...safe }, migrateSettings)).toEqual([]);
      expect(faultsOf({ DATABASE_URL }, migrateSettings)).toEqual(['ENVIRONMENT: is missing']);
    });

    it.each([
      ['PUBLIC_URL', 'http://timebestilling.example', 'must be an https:// address in production'],
      ['EID_ISSUER', 'http://127.0.0.1:4000', 'must be an https:// address in production'],
      ['POLICY_REGISTRY_URL', 'http://registry.example/fhir', 'must be an https:// address in production'],
      ['REFERRAL_REGISTRY_URL', 'http://10.0.0.7/fhir', 'must be an https:// address in production'],
      ['SESSION_SECRETS', SECRET, 'must be random (openssl rand -hex 32) in production'],
      [
        'IDENTITY_SECRETS',
        'k1:abcdefghijklmnopqrstuvwxyz0123456789',
        'must be random (openssl rand -hex 32) in production',
      ],
      [
        'IDENTITY_SECRETS',
        `k1:${'correcthorse'.repeat(4)}`,
        'must be random (openssl rand -hex 32) in production',
      ],
      [
        'IDENTITY_SECRETS',
        'k1:hemmelig hemmelig hemmelig hemmelig',
        'must be random (openssl rand -hex 32) in production',
      ],
      [
        'SESSION_SECRETS',
        `${random('a')},${random('a')}`,
        'must not be the same as another secret in production',
      ],
      [
        'DATABASE_URL',
        'postgresql://u:p@db.example/cases',
        /^must have \?sslmode=verify-full for a server on another machine/,
      ],
      ['DATABASE_URL', 'postgresql://u:p@10.0.0.5/c?sslmode=require', /^must have \?sslmode=verify-full/],
      ['PARTNER_DATABASE_URL', 'postgresql://u:p@db.example/cases', /^must have \?sslmode=verify-full/],
      ['TEMPORAL_PAYLOAD_KEYS', '', 'must be given, or said to be off, in production'],
      [
        'TEMPORAL_PAYLOAD_KEYS',
        `a:${Buffer.alloc(32).toString('base64')}`,
        'must be random (openssl rand -hex 32) in production',
      ],
    ])('refuse %s as %s', (variable, value, why) => {
      expect(faultsOf({ ...PRODUCTION, [variable]: value })).toEqual([
        typeof why === 'string'
          ? `${variable}: ${why}`
          : expect.stringMatching(new RegExp(`^${variable}: ${why.source.slice(1)}`)),
      ]);
      expect(faultsOf({ ...API, [variable]: value })).toEqual([]);
    });

    it('take several keys for what Temporal keeps, none where that is said, and none that is none', () => {
      const [first, second] = [payloadKey('2026-11'), payloadKey('2026-12')];
      const read = (TEMPORAL_PAYLOAD_KEYS: string) =>
        readSettings(apiSettings, { ...PRODUCTION, TEMPORAL_PAYLOAD_KEYS }).TEMPORAL_PAYLOAD_KEYS;
      expect(read(`${first},${second}`)).toEqual([
        { id: '2026-11', key: createHash('sha256').update('2026-11').digest() },
        { id: '2026-12', key: createHash('sha256').update('2026-12').digest() },
      ]);
      expect(read('off')).toEqual([]);
      for (const wrong of ['x', `${first},`, first.slice(0, -5), `${first},${first}`, 'off,'])
        expect(faultsOf({ ...PRODUCTION, TEMPORAL_PAYLOAD_KEYS: wrong })).toEqual([
          expect.stringMatching(/^TEMPORAL_PAYLOAD_KEYS: must be `<id>:/),
        ]);
    });

    it('refuse one secret for two purposes, and Temporal on another machine in the open', () => {
      const same = random('same');
      expect(
        faultsOf({ ...PRODUCTION, SESSION_SECRETS: same, IDENTITY_SECRETS: `k1:${same}` }).sort(),
      ).toEqual([
        'IDENTITY_SECRETS: must not be the same as another secret in production',
        'SESSION_SECRETS: must not be the same as another secret in production',
      ]);
      expect(
        faultsOf({ ...PRODUCTION, IDENTITY_SECRETS: `k1:${same}`, TWILIO_AUTH_TOKEN: same }),
      ).toHaveLength(1);
      expect(faultsOf({ ...PRODUCTION, TEMPORAL_ADDRESS: 'temporal.example:7233' })).toEqual([
        expect.stringMatching(
          /^TEMPORAL_TLS: must be on for a server on another machine, unless BACKEND_NETWORK/,
        ),
      ]);
    });
  });

  it('are read from files, where their variables with _FILE say so', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'settings-'));
    const file = join(directory, 'secret');
    await writeFile(file, `${'s'.repeat(40)}\n`);
    const { SESSION_SECRETS: _, ...rest } = API;
    const fromFile = readSettings(apiSettings, { ...rest, SESSION_SECRETS_FILE: file });
    expect(fromFile.SESSION_SECRETS).toEqual(['s'.repeat(40)]);
    expect(readCredential('PROVIDER_A', { PROVIDER_A_FILE: file })).toBe('s'.repeat(40));
    expect(readCredential('SESSION_SECRETS', { SESSION_SECRETS_FILE: file })).toBeNull();
    expect(faultsOf({ ...rest, SESSION_SECRETS_FILE: join(directory, 'nothing') })).toEqual([
      'SESSION_SECRETS_FILE: can not be read (ENOENT)',
    ]);
    expect(faultsOf({ ...API, SESSION_SECRETS_FILE: file })).toEqual([
      'SESSION_SECRETS: is given twice, also as SESSION_SECRETS_FILE',
    ]);
    await rm(directory, { recursive: true });
  });

  it('have insurers’ marks from a directory, and name a file that is none', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'marks-'));
    const mark = '<?xml version="1.0"?>\n<!-- ours -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';
    const marks = { ...API, PARTNER_MARKS_DIRECTORY: directory };
    await writeFile(join(directory, 'fjordtrygd.svg'), mark);
    await writeFile(join(directory, 'README.md'), 'not looked at');
    expect([...readSettings(apiSettings, marks).PARTNER_MARKS_DIRECTORY]).toEqual([['fjordtrygd', mark]]);
    expect(readSettings(apiSettings, API).PARTNER_MARKS_DIRECTORY.size).toBe(0);
    for (const wrong of ['<html></html>', `<svg>${' '.repeat(16_384)}</svg>`]) {
      await writeFile(join(directory, 'polar.svg'), wrong);
      expect(faultsOf(marks)).toEqual([
        'PARTNER_MARKS_DIRECTORY: has polar.svg, which is no SVG picture of at most 16 kB',
      ]);
    }
    await rm(directory, { recursive: true });
    expect(faultsOf(marks)).toEqual(['PARTNER_MARKS_DIRECTORY: must be a directory that can be read']);
  });

  it('hold a provider’s credential under the name that its registration gives', () => {
    expect(readCredential('PROVIDER_NORDLYS_TOKEN', { PROVIDER_NORDLYS_TOKEN: 'hush' })).toBe('hush');
    expect(readCredential('PROVIDER_NORDLYS_TOKEN', {})).toBeNull();
    // the clinic is away then, and no other
    expect(readCredential('PROVIDER_NORDLYS_TOKEN', { PROVIDER_NORDLYS_TOKEN_FILE: '/nowhere' })).toBeNull();
  });

  it('allow every host that a clinic may be at, or those named, and what lies below a name with a star', () => {
    const allows = (text: string) =>
      reachOf(readSettings(apiSettings, { ...API, EGRESS_HOSTS: text }).EGRESS_HOSTS);
    expect(allows('')('anything.example')).toBe(true);
    const some = allows('FHIR.nordlys.example, *.fjord.example 10.0.0.5 [fd00::5]');
    for (const host of [
      'fhir.nordlys.example',
      'a.fjord.example',
      'a.b.fjord.example',
      '10.0.0.5',
      '[fd00::5]',
    ])
      expect([host, some(host)]).toEqual([host, true]);
    for (const host of [
      'nordlys.example',
      'fjord.example',
      'evilfjord.example',
      'fhir.nordlys.example.evil',
      '10.0.0.50',
    ])
      expect([host, some(host)]).toEqual([host, false]);
    for (const text of ['https://fhir.nordlys.example', '*', '*.', 'a b/c', 'x:8080'])
      expect([text, faultsOf({ ...API, EGRESS_HOSTS: text })]).toEqual([
        text,
        [expect.stringMatching(/^EGRESS_HOSTS: must be hosts/)],
      ]);
  });

  it('are no provider’s credential, whatever a registration names', () => {
    expect(VARIABLES.filter((name) => name.startsWith('PROVIDER_'))).toEqual([]);
    for (const name of [...VARIABLES, 'PATH', 'NODE_OPTIONS', 'provider_x', 'MY_PROVIDER_X'])
      expect([name, readCredential(name, { [name]: 'hush' })]).toEqual([name, null]);
  });

  it('hold it in a file of that name, as it is there now, where the environment does not', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'credentials-'));
    const environment = { CREDENTIALS_DIRECTORY: directory };
    expect(readCredential('PROVIDER_TOKEN', environment)).toBeNull();
    for (const secret of ['hush', 'other']) {
      await writeFile(join(directory, 'PROVIDER_TOKEN'), secret);
      expect(readCredential('PROVIDER_TOKEN', environment)).toBe(secret);
    }
    expect(readCredential('PROVIDER_TOKEN', { ...environment, PROVIDER_TOKEN: 'given' })).toBe('given');
    expect(readCredential(`PROVIDER_/../../${basename(directory)}/PROVIDER_TOKEN`, environment)).toBeNull();
    await rm(directory, { recursive: true });
  });
});
