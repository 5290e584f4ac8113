import express, { Router } from 'express';
import {
  failureSignalOf,
  findUnsignalledFailure,
  noteFailureSignalled,
  recordDelivery,
} from '../postgres/messages.ts';
import { parseCaseId } from '../domain/ids.ts';
import { identify, noteRequest } from './access-notes.ts';
import type { Dependencies } from './dependencies.ts';
import type { Uncount } from './limits.ts';

/**
 * What becomes of an SMS, as Twilio says; all else (`queued`, `sent`, …) is known already, or tells nothing.
 *
 * @see https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks
 */
const STATUS_OF: Readonly<Record<string, 'delivered' | 'failed'>> = {
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
};

/**
 * Where Twilio reports what became of messages. Which message is in the address that we gave with it, and the address is
 * part of what is signed. Every report that is Twilio's is answered with 204: there is nothing that Twilio could mend.
 */
export function twilioCallbacks({
  settings,
  database,
  caseClient,
  isFromTwilio,
  numberFaultOf,
  limits,
  noteAccess,
}: Pick<
  Dependencies,
  'settings' | 'database' | 'caseClient' | 'isFromTwilio' | 'numberFaultOf' | 'limits' | 'noteAccess'
>): Router {
  const router = Router();
  router.use(async (req, res, next) => {
    res.locals['uncount'] = await limits.pages(req, res);
    next();
  });
  router.post('/status', express.urlencoded({ extended: false, limit: '16kb' }), async (req, res) => {
    const { originalUrl, query, headers } = req;
    const fields = (req.body ?? {}) as Readonly<Record<string, unknown>>;
    const signature = headers['x-twilio-signature'];
    const url = `${settings.publicUrl}${originalUrl}`;
    if (typeof signature !== 'string' || !isFromTwilio(signature, url, fields)) {
      res.sendStatus(403);
      return;
    }
    // however many messages are reported on in a minute
    await (res.locals['uncount'] as Uncount)();
    const status = STATUS_OF[singleText(fields.MessageStatus) ?? ''];
    const dedupId = singleText(query.message);
    if (status && dedupId) {
      const caseId = parseCaseId(dedupId.split(':')[0] ?? '');
      identify(res, { who: 'twilio' });
      await noteRequest(noteAccess, req, res, {
        ...{ action: `message.${status}`, outcome: 'done', caseIds: caseId ? [caseId] : [] },
      });
      const fault = numberFaultOf(Number(singleText(fields.ErrorCode)));
      const reason = status === 'failed' ? (fault ?? 'not_delivered') : null;
      await recordDelivery(database, dedupId, { status, reason, reference: singleText(fields.MessageSid) });
      await signalFailure(dedupId);
    }
    res.sendStatus(204);
  });
  return router;

  /** What can't be delivered now, a worker delivers later. */
  async function signalFailure(dedupId: string): Promise<void> {
    const failure = await findUnsignalledFailure(database, dedupId);
    if (!failure) return;
    const outcome = await caseClient.signal(failure, 'messageFailed', failureSignalOf(failure));
    if (outcome !== 'unreachable') await noteFailureSignalled(database, dedupId);
  }
}

/** A field or parameter that is there once. */
const singleText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
