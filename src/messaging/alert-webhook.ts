import { createHash, createHmac } from 'node:crypto';
import { ATTENTION, whyOf } from '../domain/attention.ts';
import { createExchange } from '../http-client/exchange.ts';
import type { Alert } from '../postgres/alerts.ts';
import type { WebUi } from '../temporal/web-ui.ts';
import { DeliveryUnavailable } from './failures.ts';

export interface AlertWebhookOptions {
  readonly url: string;
  /** `whsec_` and the key in base64, as Standard Webhooks writes it. */
  readonly secret: string;
  /** For links to what it is about; null where nobody said where that is. */
  readonly webUi: WebUi | null;
  readonly now?: () => Date;
}

const TIMEOUT_MS = 15_000;

/**
 * Tells a server of the operators' (a chat, an on-call service) what needs attention, signed as Standard Webhooks 1.0 has
 * it (https://www.standardwebhooks.com): a repetition has the same `webhook-id`.
 *
 * @returns one that throws DeliveryUnavailable unless the answer is a 2xx
 */
export function createAlertWebhook({ url, secret, webUi, now = () => new Date() }: AlertWebhookOptions) {
  const exchange = createExchange({ baseUrl: url, timeoutMs: TIMEOUT_MS, maxBytes: 1 << 16 });
  return async (alerts: readonly Alert[]): Promise<void> => {
    const body = JSON.stringify({ type: 'attention', data: { alerts: alerts.map(alertJson(webUi)) } });
    const headers = signedHeaders(secret, body, now());
    const answer = await exchange({ method: 'POST', url: new URL(url), headers, body }).catch(
      (error: unknown) => {
        throw new DeliveryUnavailable(
          error instanceof Error ? error.message.replace(/^POST: /, '') : 'unknown',
        );
      },
    );
    if (answer.status >= 300) throw new DeliveryUnavailable(`HTTP ${answer.status}`);
  };
}

/** What one is told of; the same as the mail says, for programs. */
const alertJson =
  (webUi: WebUi | null) =>
  ({ id, kind, cause, causeName, since, answer, waiting, overAt, told, cases }: Alert) => ({
    id: `${id}`,
    /** How often it was told before: with `id` it makes this telling one of its kind. */
    told,
    state: overAt === null ? 'open' : 'over',
    kind,
    heading: ATTENTION[kind].heading,
    cause: { id: cause, name: causeName },
    since,
    overAt,
    waiting,
    answer,
    why: whyOf(kind, answer),
    whatToDo: ATTENTION[kind].whatToDo,
    /** All cases that wait for the same, in Temporal's list. */
    link: webUi?.listLink(kind) ?? null,
    cases: cases.map(({ caseId, partnerName }) => ({
      ...{ caseId, partnerName },
      link: webUi?.caseLink(caseId) ?? null,
    })),
  });

/** @param secret `whsec_…` */
function signedHeaders(secret: string, body: string, at: Date): Record<string, string> {
  const id = `msg_${createHash('sha256').update(body).digest('base64url').slice(0, 27)}`;
  const timestamp = `${Math.floor(at.getTime() / 1000)}`;
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signatureOf(secret, { id, timestamp, body })}`,
  };
}

/** HMAC-SHA256 over `id.timestamp.body`, in base64. */
export const signatureOf = (
  secret: string,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: string; readonly body: string },
): string =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
