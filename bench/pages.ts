import { setTimeout as delay } from 'node:timers/promises';
import type { ProviderId } from '../src/domain/ids.ts';
import { saveProvider } from '../src/postgres/providers.ts';
import { logIn } from '../test/stories/log-in.ts';
import { worldOf } from '../test/stories/world.ts';
import { type Browser, openBrowser } from '../test/support/browser.ts';
import { freshAddress } from '../test/support/caller.ts';
import { type Calendars, openCalendars } from './calendars.ts';
import { type Measured, row, timeOf, timesAsLong } from './measure.ts';
import { healthCheck, onStack } from './on-stack.ts';

const PROVIDERS = 10;
/** What the slowest of them takes. */
const SLOWEST_MS = 200;
const TIMES = 60;
const KARI = { givenName: 'Kari', familyName: 'Nordmann' };

/** The customer's pages: what each takes besides the providers, and the times of ten providers with 2,000 slots. */
export const pages = (): Promise<Measured> =>
  onStack(async ({ database, progress, web, ...stack }) => {
    const world = worldOf({ web, ...stack });
    const calendars = await openCalendars(PROVIDERS, SLOWEST_MS);
    try {
      for (const { id, name, fhirUrl } of calendars.providers) {
        const provider = { id: id as ProviderId, name, kind: 'fhir', base_url: fhirUrl };
        await saveProvider(database, {
          ...provider,
          connection: { auth: 'none' },
          settings: { unnamedTreatment: 'chiropractic' },
          treatments: ['chiropractic'],
        });
      }
      const [open, booked] = [
        await world.newCase({ treatmentType: 'chiropractic' }),
        await world.newCase({ treatmentType: 'psychology' }),
      ];
      await world.call('POST', `/sandbox/cases/${booked.id}/book`);
      // or else the pages' limit is what is measured
      const browser = openBrowser(undefined, freshAddress);
      await logIn(browser, open.bookingUrl, KARI);
      const times = `${open.bookingUrl}/times?from=${calendars.monday}`;
      await progress(`${PROVIDERS} providers`, () => untilAllAreShown(browser, times, calendars));

      const stranger = openBrowser(undefined, freshAddress);
      const health = await each(() => healthCheck(web));
      const shown = {
        welcome: await besides(calendars, () => stranger.get(open.bookingUrl)),
        help: await besides(calendars, () => stranger.get(`${open.bookingUrl}/help`)),
        receipt: await besides(calendars, () => browser.get(booked.bookingUrl)),
        cancel: await besides(calendars, () => browser.get(`${booked.bookingUrl}/cancel`)),
        times: await besides(calendars, () => browser.get(times)),
        ofOneDay: await besides(calendars, () => browser.get(`${times}&view=day`)),
      };
      const slots = calendars.slots.toLocaleString('en');
      return {
        rows: [
          row('health check (baseline)', health),
          row('welcome', shown.welcome.own, { median: 50 }),
          row('help', shown.help.own, { median: 50 }),
          row('receipt', shown.receipt.own, { median: 50 }),
          row('cancel', shown.cancel.own, { median: 50 }),
          row(`times, ${slots} of ${PROVIDERS} providers, after the slowest`, shown.times.after, {
            median: 300,
            p99: 300,
          }),
          row('times of one day, after the slowest', shown.ofOneDay.after, { median: 300, p99: 300 }),
        ],
        notes: [
          timesAsLong(['the welcome page', shown.welcome.own], ['a health check', health]),
          timesAsLong(['the times page', shown.times.whole], ['its slowest provider', shown.times.providers]),
          timesAsLong(['what comes after that', shown.times.after], ['the welcome page', shown.welcome.own]),
        ],
      };
    } finally {
      calendars.close();
    }
  });

async function each(work: () => Promise<unknown>): Promise<number[]> {
  for (let i = 0; i < TIMES / 4; i += 1) await work();
  const taken: number[] = [];
  for (let i = 0; i < TIMES; i += 1) taken.push(await timeOf(work));
  return taken;
}

/** How long a page takes as a whole, by providers, besides them, and after the last of them has answered. */
async function besides(calendars: Calendars, work: () => Promise<unknown>) {
  const measured = { whole: [], providers: [], own: [], after: [] } as Record<
    'whole' | 'providers' | 'own' | 'after',
    number[]
  >;
  await each(async () => {
    calendars.asked();
    const begun = performance.now();
    await work();
    const end = performance.now();
    const asked = calendars.asked() ?? { from: end, to: end };
    measured.whole.push(end - begun);
    measured.providers.push(asked.to - asked.from);
    measured.own.push(end - begun - (asked.to - asked.from));
    measured.after.push(end - asked.to);
  });
  return measured;
}

/** New registrations are known within seconds. */
async function untilAllAreShown(browser: Browser, times: string, { slots }: Calendars): Promise<void> {
  for (;;) {
    const { text } = await browser.get(times);
    if (text.includes(`${slots} `)) return;
    await delay(500);
  }
}
