import type { Page } from 'playwright-core';
import { parseCaseId } from '../../../src/domain/ids.ts';
import { type CaseRoute, pathOf } from '../../../src/pages/paths.ts';
import type { Strings } from '../../../src/strings/catalogue.ts';
import { customerWith } from '../../support/customer.ts';
import type { Rig } from '../rig.ts';
import type { Look, Visitor } from '../visitor.ts';

/** A page that a customer can come to, and the way there. */
export interface Seen {
  /** Its heading, by which one knows to have arrived. */
  readonly title: (strings: Strings) => string;
  readonly reach: (rig: Rig, look: Look) => Promise<Visitor>;
}

export const addressOf = (rig: Rig, route: CaseRoute, caseId: string): string => {
  const id = parseCaseId(caseId);
  if (id === null) throw new Error(`${caseId} is no case id`);
  return rig.service.url + pathOf(route, id);
};

/** Of the times: in every town and by video, so that nobody asks where. */
export const ANYWHERE = '?mode=any';

/** The button of the form in the page that posts there, e.g. `confirm`. */
export const button = (page: Page, to: string) => page.locator(`form[action$="/${to}"] button`).first();

/** The links that choose a time. */
export const timesOn = (page: Page) => page.locator('main a[href*="/confirm?slot="]');

export const newCaseId = async (rig: Rig, actions: readonly string[] = []): Promise<string> => {
  const { id } = await rig.newCase();
  for (const action of actions) await rig.drive(id, action);
  return id;
};

export async function kariAt(rig: Rig, look: Look, route: CaseRoute, caseId: string): Promise<Visitor> {
  const visitor = await rig.kari(look);
  await visitor.page.goto(addressOf(rig, route, caseId) + (route === 'times' ? ANYWHERE : ''));
  return visitor;
}

export async function strangerAt(rig: Rig, look: Look, route: CaseRoute, caseId: string): Promise<Visitor> {
  const visitor = await rig.stranger(look);
  await visitor.page.goto(addressOf(rig, route, caseId));
  return visitor;
}

/** A page of the case, for Kari, after the sandbox has done all this to it. */
export const after = (
  actions: readonly string[],
  title: Seen['title'],
  route: CaseRoute = 'welcome',
): Seen => ({
  title,
  reach: async (rig, look) => kariAt(rig, look, route, await newCaseId(rig, actions)),
});

/** Kari at the page that asks for confirmation of a time. */
export async function choosing(
  rig: Rig,
  look: Look,
  actions: readonly string[] = [],
  known?: string,
): Promise<{ visitor: Visitor; caseId: string; slotId: string }> {
  const caseId = known ?? (await newCaseId(rig, actions));
  const visitor = await kariAt(rig, look, 'times', caseId);
  // not the first: those are what the sandbox books
  await timesOn(visitor.page).nth(5).click();
  await visitor.page.waitForURL(/\/confirm/);
  return { visitor, caseId, slotId: new URL(visitor.page.url()).searchParams.get('slot') ?? '' };
}

/** Somebody else takes the time that was chosen. */
export async function takeItFirst(
  rig: Rig,
  { visitor, caseId, slotId }: { visitor: Visitor; caseId: string; slotId: string },
): Promise<void> {
  const cookies = await visitor.context.cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const mine = customerWith(rig.service, caseId, cookie);
  const other = customerWith(rig.service, await newCaseId(rig), cookie);
  const wanted = (await mine.slots()).slots.find((slot) => slot.slotId === slotId);
  const same = (await other.slots()).slots.find(
    ({ start, practitioner }) => start === wanted?.start && practitioner === wanted.practitioner,
  );
  if (!same) throw new Error('the time on the page is not among those offered');
  const { status } = await other.confirm(same);
  if (status !== 200) throw new Error(`taking it answered ${status}`);
}

/** While clinics do not answer. */
export async function whileAway<T>(rig: Rig, clinics: 'one' | 'all', work: () => Promise<T>): Promise<T> {
  await rig.fault({ method: 'GET', times: null, effect: 'answer', status: 503 }, clinics);
  try {
    return await work();
  } finally {
    await rig.mend();
  }
}
