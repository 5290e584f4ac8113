import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 5;
const A_DAY = 10;

/** Providers whose only work is to answer, each a little later than the one before. */
export interface Calendars {
  readonly providers: readonly { readonly id: string; readonly name: string; readonly fhirUrl: string }[];
  /** The Monday of the week that they have times in. */
  readonly monday: string;
  readonly slots: number;
  /** When they were asked since the last call of this, and when the last of them had answered; null when nobody asked. */
  asked(): { readonly from: number; readonly to: number } | null;
  close(): void;
}

/**
 * @param slowestMs what the last of them takes to answer
 * @param practitioners at each; they say their service in four ways by turns
 */
export async function openCalendars(count: number, slowestMs: number, practitioners = 4): Promise<Calendars> {
  const monday = nextMonday();
  let [from, to] = [Infinity, 0];
  const servers = await Promise.all(
    Array.from({ length: count }, async (_, i): Promise<Server> => {
      const body = JSON.stringify(bundle(i, monday, practitioners));
      const server = createServer((_request, response) => {
        from = Math.min(from, performance.now());
        void delay((slowestMs * (i + 1)) / count).then(() => {
          response.writeHead(200, { 'content-type': 'application/fhir+json' }).end(body);
          to = Math.max(to, performance.now());
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  return {
    providers: servers.map((server, i) => ({
      id: `calendar-${i}`,
      name: `Calendar ${i}`,
      fhirUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/fhir`,
    })),
    monday: monday.toISOString().slice(0, 10),
    slots: count * practitioners * DAYS * A_DAY,
    asked() {
      const times = to === 0 ? null : { from, to };
      [from, to] = [Infinity, 0];
      return times;
    },
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

function nextMonday(): Date {
  const today = new Date(new Date().toISOString().slice(0, 10));
  return new Date(today.getTime() + (8 - (today.getUTCDay() || 7)) * DAY_MS);
}

/** A week of free hours, as a FHIR server tells of them: for chiropractic, which some say on the slot, on the schedule,
 * by a HealthcareService, or nowhere. */
function bundle(calendar: number, monday: Date, practitioners: number): object {
  const people = Array.from({ length: practitioners }, (_, i) => `p${i}`);
  const serviceType = [{ coding: [{ code: 'chiropractic' }] }];
  const slots = people.flatMap((id, person) =>
    Array.from({ length: DAYS * A_DAY }, (_, i) => {
      const hours = Math.floor(i / A_DAY) * 24 + 7 + (i % A_DAY);
      const start = monday.getTime() + hours * 60 * 60 * 1000;
      return {
        resourceType: 'Slot',
        id: `${id}-${i}`,
        schedule: { reference: `Schedule/${id}` },
        status: 'free',
        ...(person % 4 === 0 ? { serviceType } : {}),
        start: new Date(start).toISOString(),
        end: new Date(start + 45 * 60 * 1000).toISOString(),
      };
    }),
  );
  const place = { resourceType: 'Location', id: 'place', name: `Storgata ${calendar}, Oslo` };
  const service = { resourceType: 'HealthcareService', id: 'service', type: serviceType };
  const rest = people.flatMap((id, person) => [
    { resourceType: 'Practitioner', id, name: [{ family: `Family ${calendar}`, given: [`Given ${id}`] }] },
    {
      resourceType: 'Schedule',
      id,
      ...(person % 4 === 1 ? { serviceType } : {}),
      actor: [
        ...[{ reference: `Practitioner/${id}` }, { reference: 'Location/place' }],
        ...(person % 4 === 2 ? [{ reference: 'HealthcareService/service' }] : []),
      ],
    },
  ]);
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    entry: [...slots, ...rest, place, service].map((resource) => ({ resource })),
  };
}
