import { createHmac, timingSafeEqual } from 'node:crypto';
import express from 'express';
import { html } from '../src/pages/html.ts';
import { applyCommonFault, commonEffects, createFaultRoutes, createFaults } from './faults.ts';
import { serveLocally } from './local-server.ts';
import { page } from './page.ts';

export interface ReceivedAlert {
  /** `webhook-id`: the same for every repetition. */
  readonly id: string;
  readonly receivedAt: string;
  readonly body: {
    readonly type: string;
    readonly data: {
      readonly alerts: readonly {
        readonly state: 'open' | 'over';
        readonly kind: string;
        readonly heading: string;
        readonly since: string;
        readonly waiting: number;
        readonly answer: string | null;
        readonly why: string;
        readonly whatToDo: string;
        readonly cause: { readonly id: string; readonly name: string | null };
        readonly cases: readonly { readonly caseId: string; readonly link: string | null }[];
      }[];
    };
  };
}

export interface RunningAlertReceiver {
  /** For people; `{url}/alerts` is JSON for scripts, and takes what is posted. Faults are at `/_faults`, as a clinic's. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A message that is older, or newer, was not sent now: somebody repeats it (seconds). */
const TOLERANCE = 5 * 60;

/**
 * What stands in for the operators' chat or on-call service: takes alerts that are signed as Standard Webhooks has it, and
 * shows them. Others are refused with 401.
 *
 * @param secret `whsec_…`
 * @throws when the port is in use
 */
export async function startAlertReceiver({
  port,
  secret,
}: {
  readonly port: number;
  readonly secret: string;
}): Promise<RunningAlertReceiver> {
  const received: ReceivedAlert[] = [];
  const faults = createFaults(commonEffects.answer);
  const app = express();
  app.disable('x-powered-by');
  app.get('/', (_req, res) => void res.send(alertsPage(received)));
  app.get('/alerts', (_req, res) => void res.json(received));
  app.use('/_faults', createFaultRoutes(faults));
  app.post('/alerts', express.text({ type: 'application/json', limit: '1mb' }), (req, res) => {
    const fault = faults.take(req.method, 'alerts');
    if (fault && !applyCommonFault(fault, req, res)) return;
    const body = typeof req.body === 'string' ? req.body : '';
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
      (name) => req.get(name) ?? '',
    ) as [string, string, string];
    const isNow = Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE;
    if (!isNow || !isSigned(secret, `${id}.${timestamp}.${body}`, signatures)) {
      res.status(401).json({ error: 'not signed by this secret, or not now' });
      return;
    }
    if (!received.some((one) => one.id === id))
      received.unshift({
        id,
        receivedAt: new Date().toISOString(),
        body: JSON.parse(body) as ReceivedAlert['body'],
      });
    res.status(204).end();
  });
  return serveLocally(app, port);
}

/** @param signatures `v1,<base64>`, several with spaces between while a secret is replaced */
function isSigned(secret: string, signed: string, signatures: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(signed).digest();
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return one.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const alertsPage = (received: readonly ReceivedAlert[]): string =>
  page(
    'Driftsvarsler',
    received.length === 0
      ? html`<p>Ingen varsler ennå.</p>`
      : received.flatMap(({ receivedAt, body }) =>
          body.data.alerts.map(
            ({ state, heading, waiting, why, whatToDo, since }) =>
              html`<article>
                <h2>${state === 'over' && 'Over: '}${heading} (${waiting})</h2>
                <p><time datetime="${receivedAt}">${receivedAt}</time>, since ${since}</p>
                <p>${why}</p>
                ${state === 'open' && html`<p>${whatToDo}</p>`}
              </article>`,
          ),
        ),
    'article { margin: 1rem 0; padding: 1rem; border: 1px solid #767676; border-radius: 8px } h2 { margin: 0; font-size: 1rem }',
    html`<meta http-equiv="refresh" content="10" />`,
  );
