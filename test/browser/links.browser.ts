import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import type { Timeline } from '../support/partners-cases.ts';
import { startRig, type Rig } from './rig.ts';
import { ANYWHERE, addressOf, newCaseId } from './seen/ways.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

/** Links that differ in their query only are alike, and each to a time costs the clinic a question. */
const MOST_ALIKE = 5;

/** Asks for whatever the pages name, as a mail scanner does: links, and where forms lead, too. @returns what was asked for */
async function scan(context: BrowserContext, start: string): Promise<string[]> {
  const asked: string[] = [];
  const found = [start];
  const isWanted = (url: string) => {
    const alike = found.filter((other) => other.split('?')[0] === url.split('?')[0]);
    return url.startsWith(rig.service.url) && !found.includes(url) && alike.length < MOST_ALIKE;
  };
  for (let url = found[0]; url !== undefined; url = found[asked.length]) {
    asked.push(url);
    const answer = await context.request.get(url, { maxRedirects: 5 });
    if (!(answer.headers()['content-type'] ?? '').startsWith('text/html')) continue;
    for (const [, address = ''] of (await answer.text()).matchAll(/(?:href|action)="([^"]+)"/g)) {
      const { href } = new URL(address.replaceAll('&amp;', '&'), answer.url());
      const bare = href.split('#')[0] ?? '';
      if (isWanted(bare)) found.push(bare);
    }
  }
  return asked;
}

describe('a mail scanner, which asks for every link', () => {
  it.each([
    ['with the link alone', [], false],
    ['of a booked case, with the link alone', ['book'], false],
    ['in the browser of somebody who is logged in', [], true],
    ['in the browser of somebody who is logged in and has a time', ['book'], true],
  ])('%s changes nothing', async (_, actions, loggedIn) => {
    const id = await newCaseId(rig, actions);
    // but for its messages, which are still on their way
    const told = async () => {
      const { notifications: _notifications, updatedAt: _updatedAt, ...theCase } = await rig.read(id);
      const { body } = await rig.service.partner.get<Timeline>(`/cases/${id}/events`);
      return { theCase, events: body.data.filter(({ type }) => !type.startsWith('notification.')) };
    };
    const visitor = loggedIn ? await rig.kari({ language: 'nb' }) : await rig.stranger({ language: 'nb' });
    // whoever opens a case first is bound to it, and their name is corrected no more
    if (loggedIn) await visitor.page.goto(addressOf(rig, 'welcome', id));
    const before = await told();

    const asked = await scan(visitor.context, addressOf(rig, 'welcome', id));
    const ways = loggedIn
      ? ['times', 'confirm', 'help', 'logout', 'session', 'language']
      : ['login', 'help', 'not-for-me', 'language'];
    expect(ways.filter((way) => !asked.some((url) => new URL(url).pathname.endsWith(`/${way}`)))).toEqual([]);

    expect(await told()).toEqual(before);
    // and nobody was logged out by it, or in
    await visitor.page.goto(addressOf(rig, 'times', id) + ANYWHERE);
    expect(await visitor.page.locator('form[action$="/logout"]').count()).toBe(loggedIn ? 1 : 0);
    await visitor.close();
  });
});
