import { randomBytes } from 'node:crypto';
import express from 'express';
import type { Response } from 'express';
import { serveLocally } from '../local-server.ts';
import { inboxPage, openInbox, type PhoneMessage } from './inbox.ts';
import {
  errorBody,
  errorFor,
  messageJson,
  NOT_FOUND,
  type PhoneError,
  queuedJson,
  sendReceipt,
  UNDELIVERABLE_CODE,
  UNDELIVERABLE_NUMBER,
  WRONG_CREDENTIALS,
} from './twilio.ts';

export interface PhoneOptions {
  readonly port: number;
  readonly accountSid: string;
  readonly authToken: string;
  /** A JSON file with the messages, continued when it exists. */
  readonly file: string;
  readonly log: (line: string) => void;
}

export interface RunningPhone {
  /** What the twilio client's `client.api.baseUrl` is set to; in a browser, the inbox. `{url}/messages` is JSON. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Everybody's phone: takes messages over Twilio's API and shows them. What bad numbers do is in `phone/ts`.
 *
 * @throws when the port is in use
 */
export async function startPhone(options: PhoneOptions): Promise<RunningPhone> {
  const { accountSid, authToken, log } = options;
  const inbox = await openInbox(options.file);

  const app = express();
  app.disable('x-powered-by');
  app.get('/', (_req, res) => void res.send(inboxPage(inbox.all())));
  app.get('/messages', (_req, res) => void res.json(inbox.all()));

  const messages = `/2010-04-01/Accounts/${accountSid}/Messages`;
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  app.use('/2010-04-01', (req, res, next) => {
    if (req.headers.authorization === expected) next();
    else sendError(res, WRONG_CREDENTIALS);
  });
  app.post(
    `${messages}.json`,
    express.text({ type: 'application/x-www-form-urlencoded' }),
    async (req, res) => {
      const parameters = new URLSearchParams(typeof req.body === 'string' ? req.body : '');
      const error = errorFor(parameters);
      if (error !== undefined) {
        sendError(res, error);
        return;
      }
      const message = messageFrom(parameters);
      await inbox.add(message);
      res.status(201).json(queuedJson(accountSid, message));

      const callbackUrl = parameters.get('StatusCallback');
      if (callbackUrl === null) return;
      await sendReceipt(message, { callbackUrl, accountSid, authToken }).catch((failure: unknown) => {
        log(`phone: delivery receipt failed for ${message.sid}: ${String(failure)}`);
      });
    },
  );
  app.get(`${messages}.json`, (req, res) => {
    const { To: to, From: from } = req.query;
    const matching = inbox
      .all()
      .filter(
        (message) => (to === undefined || message.to === to) && (from === undefined || message.from === from),
      );
    const page = matching.map((message) => messageJson(accountSid, message));
    res.json({
      messages: page,
      page: 0,
      page_size: page.length,
      uri: `${messages}.json`,
      next_page_uri: null,
    });
  });
  app.get(`${messages}/:sid.json`, (req, res) => {
    const message = inbox.all().find(({ sid }) => sid === req.params.sid);
    if (message === undefined) sendError(res, NOT_FOUND);
    else res.json(messageJson(accountSid, message));
  });
  app.use((_req, res) => sendError(res, NOT_FOUND));

  return serveLocally(app, options.port);
}

function messageFrom(parameters: URLSearchParams): PhoneMessage {
  const to = parameters.get('To') ?? '';
  const lost = to === UNDELIVERABLE_NUMBER;
  return {
    sid: `SM${randomBytes(16).toString('hex')}`,
    to,
    from: parameters.get('From'),
    messagingServiceSid: parameters.get('MessagingServiceSid'),
    body: parameters.get('Body') ?? '',
    status: lost ? 'undelivered' : 'delivered',
    errorCode: lost ? UNDELIVERABLE_CODE : null,
    sentAt: new Date().toISOString(),
  };
}

function sendError(res: Response, error: PhoneError): void {
  res.status(error.status).json(errorBody(error));
}
