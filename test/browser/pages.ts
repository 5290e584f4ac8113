import type { Page } from 'playwright-core';
import { parseCaseId } from '../../src/domain/ids.ts';
import { pathOf, timesPath, type CaseRoute } from '../../src/web/paths.ts';
import { STRINGS } from '../../src/web/strings/languages.ts';
import type { Strings } from '../../src/web/strings/nb.ts';
import { customerWith } from '../support/customer.ts';
import { today } from '../support/new-case.ts';
import type { Rig } from './rig.ts';
import type { Look, Visitor } from './visitor.ts';

/** A page that a customer can come to, and the way there. */
export interface Seen {
  /** Its heading, by which one knows to have arrived. */
  readonly title: (strings: Strings) => string;
  readonly reach: (rig: Rig, look: Look) => Promise<Visitor>;
}

/** Goes to a page of {@link PAGES}. @throws when that leads elsewhere */
export async function see(rig: Rig, name: string, look: Look): Promise<Visitor> {
  const { title, reach } = PAGES[name] ?? {};
  if (!title || !reach) throw new Error(`there is no page "${name}"`);
  const visitor = await reach(rig, look);
  const heading = visitor.page.getByRole('heading', {
    level: 1,
    name: title(STRINGS[look.language]),
    exact: true,
  });
  await heading.waitFor({ timeout: 15_000 }).catch(async () => {
    const there = await visitor.page.locator('h1').allTextContents();
    throw new Error(`the way to "${name}" leads to "${there.join()}" at ${visitor.page.url()}`);
  });
  return visitor;
}

export const addressOf = (rig: Rig, route: CaseRoute, caseId: string): string => {
  const id = parseCaseId(caseId);
  if (id === null) throw new Error(`${caseId} is no case id`);
  return rig.service.url + pathOf(route, id);
};

/** The button of the form that posts to this route. */
export const button = (page: Page, route: CaseRoute) =>
  page.locator(`form[action$="${pathOf(route, 'x' as never).replace('/b/x', '')}"] button`).first();

/** The links that choose a time. */
export const timesOn = (page: Page) => page.locator('main a[href*="/confirm?slot="]');

const kariAt = async (rig: Rig, look: Look, route: CaseRoute, caseId: string): Promise<Visitor> => {
  const visitor = await rig.kari(look);
  await visitor.page.goto(addressOf(rig, route, caseId));
  return visitor;
};
const strangerAt = async (rig: Rig, look: Look, route: CaseRoute, caseId: string): Promise<Visitor> => {
  const visitor = await rig.stranger(look);
  await visitor.page.goto(addressOf(rig, route, caseId));
  return visitor;
};
const newCaseId = async (rig: Rig, actions: readonly string[] = []): Promise<string> => {
  const { id } = await rig.newCase();
  for (const action of actions) await rig.drive(id, action);
  return id;
};

/** The case's own page after the sandbox has done all this to it. */
const after = (actions: readonly string[], title: Seen['title'], route: CaseRoute = 'welcome'): Seen => ({
  title,
  reach: async (rig, look) => kariAt(rig, look, route, await newCaseId(rig, actions)),
});

/** Kari at the page that asks for confirmation of a time. */
async function choosing(rig: Rig, look: Look, actions: readonly string[] = []) {
  const caseId = await newCaseId(rig, actions);
  const visitor = await kariAt(rig, look, 'times', caseId);
  // not the first: those are what the sandbox books
  await timesOn(visitor.page).nth(5).click();
  await visitor.page.waitForURL(/\/confirm/);
  return { visitor, caseId };
}

/** Somebody else takes the time that this page is about. */
async function takeItFirst(rig: Rig, { page, context }: Visitor, caseId: string): Promise<void> {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const mine = customerWith(rig.service, caseId, cookie);
  const other = customerWith(rig.service, await newCaseId(rig), cookie);
  const chosen = new URL(page.url()).searchParams.get('slot');
  const slot = (await mine.slots()).slots.find(({ slotId }) => slotId === chosen);
  const same = (await other.slots()).slots.find(
    ({ start, practitioner }) => start === slot?.start && practitioner === slot.practitioner,
  );
  if (!same) throw new Error('the time on the page is not among those offered');
  const { status } = await other.confirm(same);
  if (status !== 200) throw new Error(`taking it answered ${status}`);
}

async function askForHelp(rig: Rig, visitor: Visitor, caseId: string): Promise<void> {
  await visitor.page.goto(addressOf(rig, 'help', caseId));
  await button(visitor.page, 'help').click();
  await visitor.page.waitForLoadState();
}

export const PAGES: Readonly<Record<string, Seen>> = {
  welcome: {
    title: (t) => t.welcome.title,
    reach: async (rig, look) => strangerAt(rig, look, 'welcome', await newCaseId(rig)),
  },
  'welcome, not open': {
    title: (t) => t.welcome.title,
    reach: async (rig, look) => {
      const { id } = await rig.newCase();
      await rig.service.partner.post(`/cases/${id}/recall`);
      return strangerAt(rig, look, 'welcome', id);
    },
  },
  times: after([], (t) => t.times.title, 'times'),
  'times, one provider': {
    title: (t) => t.times.title,
    reach: async (rig, look) => {
      const visitor = await rig.kari(look);
      const caseId = parseCaseId(await newCaseId(rig));
      if (caseId) await visitor.page.goto(rig.service.url + timesPath(caseId, { provider: 'nordlys' }));
      return visitor;
    },
  },
  'times, none': {
    title: (t) => t.times.title,
    reach: async (rig, look) => {
      const visitor = await rig.kari(look);
      const address = addressOf(rig, 'times', await newCaseId(rig));
      await visitor.page.goto(`${address}?from=${today(40)}`);
      return visitor;
    },
  },
  'times, one provider away': {
    title: (t) => t.times.title,
    reach: async (rig, look) =>
      whileAway(rig, 'one', async () => kariAt(rig, look, 'times', await newCaseId(rig))),
  },
  'times, all away': {
    title: (t) => t.times.title,
    reach: async (rig, look) =>
      whileAway(rig, 'all', async () => kariAt(rig, look, 'times', await newCaseId(rig))),
  },
  'times, to change': after(['book'], (t) => t.times.titleChange, 'times'),
  'times, after the clinic cancelled': after(['book', 'provider-cancel'], (t) => t.times.title, 'times'),
  'times, after a cancellation': {
    title: (t) => t.times.title,
    reach: async (rig, look) => {
      const visitor = await kariAt(rig, look, 'cancel', await newCaseId(rig, ['book']));
      await button(visitor.page, 'cancel').click();
      await visitor.page.waitForURL(/\/times/);
      return visitor;
    },
  },
  'times, messages do not arrive': after(['bounce'], (t) => t.times.title, 'times'),
  confirm: {
    title: (t) => t.confirm.title,
    reach: async (rig, look) => (await choosing(rig, look)).visitor,
  },
  'confirm a change': {
    title: (t) => t.confirm.title,
    reach: async (rig, look) => (await choosing(rig, look, ['book'])).visitor,
  },
  'time taken while reading': {
    title: (t) => t.taken.title,
    reach: async (rig, look) => {
      const { visitor, caseId } = await choosing(rig, look);
      await takeItFirst(rig, visitor, caseId);
      await button(visitor.page, 'confirm').click();
      return visitor;
    },
  },
  'time taken before reading': {
    title: (t) => t.taken.title,
    reach: async (rig, look) => {
      const { visitor, caseId } = await choosing(rig, look);
      await takeItFirst(rig, visitor, caseId);
      await visitor.page.reload();
      return visitor;
    },
  },
  receipt: after(['book'], (t) => t.receipt.title),
  'receipt, on its way to the clinic': {
    title: (t) => t.receipt.title,
    reach: async (rig, look) => {
      await rig.fault({
        method: 'POST',
        resource: 'Appointment',
        times: null,
        effect: 'answer',
        status: 503,
      });
      try {
        const { visitor } = await choosing(rig, look);
        await button(visitor.page, 'confirm').click();
        await visitor.page.waitForURL(/\/b\/[^/]*$/);
        return visitor;
      } finally {
        await rig.mend();
      }
    },
  },
  'receipt, passed': after(['book', 'pass-appointment'], (t) => t.receipt.title),
  cancel: after(['book'], (t) => t.cancel.title, 'cancel'),
  help: {
    title: (t) => t.help.title,
    reach: async (rig, look) => strangerAt(rig, look, 'help', await newCaseId(rig)),
  },
  'help, logged in': after([], (t) => t.help.title, 'help'),
  'help with faults': {
    title: (t) => t.help.title,
    reach: async (rig, look) => {
      const visitor = await strangerAt(rig, look, 'help', await newCaseId(rig));
      await visitor.page.fill('[name=message]', '<b>Jeg</b> & du. '.repeat(400));
      await button(visitor.page, 'help').click();
      await visitor.page.waitForLoadState();
      return visitor;
    },
  },
  'help received': {
    title: (t) => t.helpReceived.title,
    reach: async (rig, look) => {
      const caseId = await newCaseId(rig);
      const visitor = await rig.stranger(look);
      await askForHelp(rig, visitor, caseId);
      return visitor;
    },
  },
  expired: after(['expire'], (t) => t.status.expired.title),
  recalled: {
    title: (t) => t.status.recalled.title,
    reach: async (rig, look) => {
      const { id } = await rig.newCase();
      await rig.service.partner.post(`/cases/${id}/recall`);
      return kariAt(rig, look, 'welcome', id);
    },
  },
  archived: {
    title: (t) => t.status.archived.title,
    reach: async (rig, look) => {
      const { id } = await rig.newCase();
      await rig.service.partner.post(`/cases/${id}/recall`);
      await rig.service.partner.post(`/cases/${id}/archive`);
      return kariAt(rig, look, 'welcome', id);
    },
  },
  error: after(['fail-transfer'], (t) => t.status.error.title),
  mismatch: {
    title: (t) => t.status.mismatch.title,
    reach: async (rig, look) => {
      const { id } = await rig.newCase({ patientFirstName: 'Ola', patientLastName: 'Hansen' });
      return kariAt(rig, look, 'welcome', id);
    },
  },
  'login cancelled': {
    title: (t) => t.status.login_cancelled.title,
    reach: async (rig, look) => {
      const visitor = await strangerAt(rig, look, 'welcome', await newCaseId(rig));
      await button(visitor.page, 'login').click();
      await visitor.page.getByRole('button', { name: 'Avbryt' }).click();
      return visitor;
    },
  },
  'session ended': {
    title: (t) => t.status.session_ended.title,
    reach: async (rig, look) => strangerAt(rig, look, 'times', await newCaseId(rig)),
  },
  'logged out': {
    title: (t) => t.status.logged_out.title,
    reach: async (rig, look) => {
      const visitor = await kariAt(rig, look, 'times', await newCaseId(rig));
      await button(visitor.page, 'logout').click();
      return visitor;
    },
  },
  'stale form': {
    title: (t) => t.status.stale_form.title,
    reach: async (rig, look) => {
      const visitor = await strangerAt(rig, look, 'welcome', await newCaseId(rig));
      await visitor.context.clearCookies();
      await button(visitor.page, 'login').click();
      return visitor;
    },
  },
  'not allowed': {
    title: (t) => t.status.not_allowed.title,
    reach: async (rig, look) => {
      const { visitor, caseId } = await choosing(rig, look);
      await rig.service.partner.post(`/cases/${caseId}/recall`);
      await button(visitor.page, 'confirm').click();
      return visitor;
    },
  },
  started: {
    title: (t) => t.status.started.title,
    reach: async (rig, look) => {
      const caseId = await newCaseId(rig, ['book']);
      const visitor = await kariAt(rig, look, 'cancel', caseId);
      await rig.drive(caseId, 'pass-appointment');
      await button(visitor.page, 'cancel').click();
      return visitor;
    },
  },
  'time unknown': {
    title: (t) => t.status.slot_unknown.title,
    reach: async (rig, look) => {
      const visitor = await rig.kari(look);
      await visitor.page.goto(`${addressOf(rig, 'confirm', await newCaseId(rig))}?slot=nonsense`);
      return visitor;
    },
  },
  'case unknown': {
    title: (t) => t.status.unknown_case.title,
    reach: (rig, look) => strangerAt(rig, look, 'welcome', crypto.randomUUID()),
  },
  'not possible now': {
    title: (t) => t.status.temporarily_unavailable.title,
    reach: async (rig, look) => {
      const { visitor } = await choosing(rig, look);
      await whileAway(rig, 'all', () => visitor.page.reload());
      return visitor;
    },
  },
  'too many logins': {
    title: (t) => t.status.too_many.title,
    reach: async (rig, look) => {
      const visitor = await strangerAt(rig, look, 'welcome', await newCaseId(rig));
      const form = { _token: await visitor.page.locator('[name=_token]').first().inputValue() };
      for (let i = 0; i < 5; i += 1)
        await visitor.context.request.post(`${visitor.page.url()}/login`, { form, maxRedirects: 0 });
      await button(visitor.page, 'login').click();
      return visitor;
    },
  },
  'too much help': {
    title: (t) => t.status.too_much_help.title,
    reach: async (rig, look) => {
      const caseId = await newCaseId(rig);
      const visitor = await rig.stranger(look);
      for (let i = 0; i < 4; i += 1) await askForHelp(rig, visitor, caseId);
      return visitor;
    },
  },
};

async function whileAway<T>(rig: Rig, clinics: 'one' | 'all', work: () => Promise<T>): Promise<T> {
  await rig.fault({ method: 'GET', times: null, effect: 'answer', status: 503 }, clinics);
  try {
    return await work();
  } finally {
    await rig.mend();
  }
}
