import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { EID_PROFILES, type EidProfileName } from '../../dev/eid/person.ts';
import { type RunningEid, startEid } from '../../dev/eid/server.ts';
import { pickPort } from '../../dev/ports.ts';
import { eidOptions, eidVariables as eidSchema } from '../../src/config/eid.ts';
import { readSettings } from '../../src/config/settings.ts';
import { createEid } from '../../src/identity/eid.ts';
import { CLIENT, failureOf, logIn, REDIRECT } from './eid-logins.ts';

const KARI = { givenName: 'Kari Anne', familyName: 'Nordmann', birthDate: '1980-02-29' };
const TITLES: Readonly<Record<EidProfileName, string>> = {
  bankid: '### BankID',
  signicat: '### Signicat',
  idura: '### Idura (Criipto)',
};

/** The settings below a heading of docs/eid.md. */
function settingsUnder(heading: string, page: string): Record<string, string> {
  const [, block = ''] = page.split(`${heading}\n`)[1]?.match(/```env\n(.*?)```/s) ?? [];
  return Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
}

describe.each(Object.keys(EID_PROFILES) as EidProfileName[])('the ready settings for %s', (name) => {
  let page = '';
  let server: RunningEid | null = null;
  beforeAll(async () => {
    page = await readFile(fileURLToPath(new URL('../../docs/eid.md', import.meta.url)), 'utf8');
  });
  afterEach(async () => server?.stop());

  async function eidAsDocumented() {
    const { port } = await pickPort();
    const redirectUris = [REDIRECT];
    server = await startEid({ ...CLIENT, port, redirectUris, profile: name, log: () => undefined });
    const settings = readSettings(z.object(eidSchema), {
      ...settingsUnder(TITLES[name], page),
      EID_ISSUER: server.issuer,
      EID_CLIENT_ID: CLIENT.clientId,
      EID_CLIENT_SECRET: CLIENT.clientSecret,
    });
    const unsupported: string[] = [];
    const client = createEid({
      ...eidOptions({ ...settings, PUBLIC_URL: new URL('/', REDIRECT).href.slice(0, -1) }),
      onUnsupported: (found) => unsupported.push(...found),
    });
    return { client, unsupported };
  }

  it('name what is accepted, and an issuer on https', () => {
    expect(settingsUnder(TITLES[name], page)).toMatchObject({
      EID_ISSUER: expect.stringMatching(/^https:/),
      EID_ACR_ACCEPTED: expect.stringMatching(/./),
    });
  });

  it('let a customer in who logs in at the level they ask for, and know the person again', async () => {
    const { client } = await eidAsDocumented();
    const people = [];
    for (const person of [KARI, KARI, { ...KARI, birthDate: '' }]) {
      const { callback, pending } = await logIn(client, person);
      people.push(await client.finish(callback, pending));
    }
    expect(people[0]).toMatchObject(KARI);
    expect(people[1]).toEqual(people[0]);
    expect(people[2]).toMatchObject({ birthDate: null });
    expect(people[2]?.personId).not.toBe(people[0]?.personId);
  });

  it('refuse a login at a lower level', async () => {
    const { client } = await eidAsDocumented();
    const { callback, pending } = await logIn(client, { ...KARI, level: 'substantial' });
    const { reason } = await failureOf(client.finish(callback, pending));
    expect(reason).toBe('level_too_low');
  });

  it('lack nothing of the claims and scopes that the eID has', async () => {
    const { client, unsupported } = await eidAsDocumented();
    await client.discover();
    // which logins can be asked for is not what our stand-in knows of its model
    expect(unsupported.filter((lacking) => !lacking.startsWith('EID_ACR_VALUES'))).toEqual([]);
  });
});
