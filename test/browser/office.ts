import type { Page } from 'playwright-core';
import { pino } from 'pino';
import { organisationsRole, ROLES_CLAIM } from '../../dev/operator-login/people.ts';
import { startOperatorLogin } from '../../dev/operator-login/server.ts';
import { pickPort } from '../../dev/ports.ts';
import { operatorApiSettings, readSettings } from '../../src/config/settings.ts';
import { ROLES } from '../../src/identity/operators/actor.ts';
import { composeOperatorApi } from '../../src/main/compose-operator-api.ts';
import type { CaseBody } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { runningServers } from '../support/running-servers.ts';
import { LOGIN_SETTINGS } from '../operator/login-settings.ts';
import type { Rig } from './rig.ts';
import type { Look, Visitor } from './visitor.ts';

/** The back office of a rig's service, with the organisation's login server. */
export interface Office {
  readonly rig: Rig;
  readonly url: string;
  readonly idp: Awaited<ReturnType<typeof startOperatorLogin>>;
  /** A colleague, logged in, at the work list. */
  colleague(id: string, look?: Partial<Look>): Promise<Visitor>;
  stop(): Promise<void>;
}

export async function startOffice(rig: Rig): Promise<Office> {
  const [{ port }, { port: idpPort }] = [await pickPort(), await pickPort()];
  const url = `http://127.0.0.1:${port}`;
  const backOffice = {
    clientId: LOGIN_SETTINGS.OPERATOR_OIDC_CLIENT_ID,
    clientSecret: LOGIN_SETTINGS.OPERATOR_OIDC_CLIENT_SECRET,
    redirectUris: [`${url}/login/callback`],
  };
  const idp = await startOperatorLogin({
    ...{ port: idpPort, audience: LOGIN_SETTINGS.OPERATOR_OIDC_AUDIENCE, backOffice },
    commandLine: { clientId: LOGIN_SETTINGS.OPERATOR_OIDC_CLI_CLIENT_ID },
    log: () => undefined,
  });
  const { databaseUrl, taskQueue, environment, url: publicUrl } = rig.service;
  const api = await composeOperatorApi(
    readSettings(operatorApiSettings, {
      ...LOGIN_SETTINGS,
      OPERATOR_DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: runningServers().temporalAddress,
      TEMPORAL_PAYLOAD_KEYS: environment.api.TEMPORAL_PAYLOAD_KEYS,
      ENVIRONMENT: 'test',
      PUBLIC_URL: publicUrl,
      OPERATOR_API_PORT: String(port),
      METRICS_PORT: '0',
      OPERATOR_API_URL: url,
      OPERATOR_OIDC_ISSUER: idp.issuer,
      OPERATOR_OIDC_ROLES_CLAIM: ROLES_CLAIM,
      OPERATOR_OIDC_ROLES: ROLES.map((role) => `${role}=${organisationsRole(role)}`).join(', '),
      TRUST_PROXY: 'loopback',
    }),
    { log: pino({ level: 'silent' }), taskQueue },
  );
  return {
    rig,
    url,
    idp,
    async colleague(id, look = {}) {
      const visitor = await rig.stranger({ language: 'nb', ...look }, [url, idp.issuer]);
      await visitor.page.goto(url);
      await visitor.page.locator(`button[value="${id}"]`).click();
      await visitor.page.getByRole('heading', { level: 1, name: 'Work list' }).waitFor();
      return visitor;
    },
    async stop() {
      await api.stop();
      await idp.stop();
    },
  };
}

/** A case whose customer has asked for help. */
export async function caseThatNeedsHelp({ rig }: Office): Promise<CaseBody> {
  const { id } = await rig.newCase();
  await rig.service.nobody.post(`/booking/${id}/assistance`, {
    message: 'Jeg finner ikke frem.',
    phone: '+4790000001',
  });
  return eventually(
    async () => {
      const found = await rig.read(id);
      return found.status === 'assistance_requested' && found;
    },
    { what: 'the request is noted' },
  );
}

/** Every kind of page of the back office, and the way there; each ends at a heading of this name. */
export const OFFICE_PAGES: Readonly<
  Record<string, { readonly title: string; readonly reach: (office: Office, page: Page) => Promise<unknown> }>
> = {
  'work list': {
    title: 'Work list',
    async reach(office, page) {
      await caseThatNeedsHelp(office);
      await office.rig.drive((await office.rig.newCase()).id, 'bounce');
      await page.goto(office.url);
    },
  },
  'work list, empty': {
    title: 'Work list',
    reach: (office, page) => page.goto(`${office.url}/?kind=workflow_behind`),
  },
  case: {
    title: 'Case',
    async reach(office, page) {
      const { id } = await caseThatNeedsHelp(office);
      await page.goto(`${office.url}/do/case/show?case=${id}`);
    },
  },
  'case, booked': {
    title: 'Case',
    async reach(office, page) {
      const { id } = await office.rig.newCase();
      await office.rig.drive(id, 'book');
      await page.goto(`${office.url}/do/case/show?case=${id}`);
    },
  },
  'whose it is, asked': {
    title: 'Show who it is',
    async reach(office, page) {
      const { id } = await caseThatNeedsHelp(office);
      await page.goto(`${office.url}/do/case/show?case=${id}`);
      await page.getByRole('link', { name: 'Show who it is' }).first().click();
    },
  },
  'whose it is': {
    title: 'Case',
    async reach(office, page) {
      await OFFICE_PAGES['whose it is, asked']?.reach(office, page);
      await page.getByLabel('Reason').fill('the customer asked for help');
      await page.getByLabel('Ticket').fill('S-4711');
      await page.getByRole('button', { name: 'Show who it is' }).click();
    },
  },
  'free times': {
    title: 'Free times',
    async reach(office, page) {
      const { id } = await office.rig.newCase();
      await page.goto(`${office.url}/do/case/availability?case=${id}`);
    },
  },
  'a time to choose': {
    title: 'Book a time',
    async reach(office, page) {
      const { id } = await office.rig.newCase();
      await page.goto(`${office.url}/do/case/book?case=${id}&identityChecked=called+back`);
      await page.getByRole('button', { name: 'Book a time' }).click();
    },
  },
  'are you sure': {
    title: 'Recall the case?',
    async reach(office, page) {
      const { id } = await office.rig.newCase();
      await page.goto(`${office.url}/do/case/recall?case=${id}`);
      await page.getByLabel('Reason').fill('Settled otherwise');
      await page.getByRole('button', { name: 'Recall the case' }).click();
    },
  },
  done: {
    title: 'Send the link again',
    async reach(office, page) {
      const { id } = await office.rig.newCase();
      await page.goto(`${office.url}/do/case/resend?case=${id}`);
      await page.getByRole('button', { name: 'Send the link again' }).click();
    },
  },
  'not done': {
    title: 'Take the case: not done',
    async reach(office, page) {
      const { id } = await office.rig.newCase();
      await page.goto(`${office.url}/do/case/take?case=${id}`);
      await page.getByRole('button', { name: 'Take the case' }).click();
    },
  },
  'wrongly filled in': {
    title: 'Register a partner',
    async reach(office, page) {
      await page.goto(`${office.url}/do/partner/add`);
      await page.getByLabel('Id').fill('Fjord Trygd');
      await page.getByRole('button', { name: 'Register a partner' }).click();
    },
  },
  cases: { title: 'Cases', reach: (office, page) => page.goto(`${office.url}/do/case/list`) },
  clinics: { title: 'Clinics', reach: (office, page) => page.goto(`${office.url}/do/provider/list`) },
  'clinic, checked': {
    title: 'Check its booking system',
    reach: (office, page) => page.goto(`${office.url}/do/provider/show?id=nordlys&check=true`),
  },
  'problems at clinics': {
    title: 'Problems at clinics',
    reach: (office, page) => page.goto(`${office.url}/do/provider/problems`),
  },
  'a clinic to register': {
    title: 'Register a clinic',
    reach: (office, page) => page.goto(`${office.url}/do/provider/add`),
  },
  partners: { title: 'Partners', reach: (office, page) => page.goto(`${office.url}/do/partner/list`) },
  keys: {
    title: 'API keys',
    reach: (office, page) => page.goto(`${office.url}/do/key/list?partner=${office.rig.service.partnerId}`),
  },
  'a new key': {
    title: 'Create a key',
    async reach(office, page) {
      await page.goto(`${office.url}/do/key/create?partner=${office.rig.service.partnerId}&name=claims`);
      await page.getByRole('button', { name: 'Create a key' }).click();
    },
  },
  log: { title: 'Log', reach: (office, page) => page.goto(`${office.url}/do/log`) },
  everything: { title: 'Everything', reach: (office, page) => page.goto(`${office.url}/operations`) },
  'not found': { title: 'Not found', reach: (office, page) => page.goto(`${office.url}/nothing`) },
  'logged out': {
    title: 'Logged out',
    reach: (_, page) => page.getByRole('button', { name: 'Log out' }).click(),
  },
};

/** Ada, who has every role, at one of {@link OFFICE_PAGES}. @throws when that leads elsewhere */
export async function seeInOffice(office: Office, name: string, look?: Partial<Look>): Promise<Visitor> {
  const { title, reach } = OFFICE_PAGES[name] ?? {};
  if (title === undefined || !reach) throw new Error(`there is no page "${name}"`);
  const visitor = await office.colleague('ada', look);
  await reach(office, visitor.page);
  const heading = await visitor.page.locator('h1').innerText();
  if (title === 'Case' ? !/^Case [\da-f]{8}$/.test(heading) : heading !== title)
    throw new Error(`the way to "${name}" leads to "${heading}" at ${visitor.page.url()}`);
  return visitor;
}
