import { ATTENTION, ATTENTION_KINDS, type AttentionKind } from '../../src/domain/attention.ts';
import { TASK_QUEUE } from '../../workflows/contract.ts';
import { logInAt, type Answer } from '../identity/eid-visitor.ts';
import { startableOperator } from '../operator/command.ts';
import type { Json } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newCase, today } from '../support/new-case.ts';
import type { Ground } from './ground.ts';
import { createListener, type Call, type Heard } from './listener.ts';
import { MARKS } from './marks.ts';
import type { Reading } from './readings.ts';
import { decoded } from './search.ts';

export const OPERATOR = 'drift@timebestilling.example';

/** Whoever deals with the service about marked cases. */
export interface People {
  /** What they were told, apart from what they asked for. */
  readonly heard: readonly Reading[];
  /** Somebody without a key or a session. */
  readonly call: Call;
  readonly partner: Call;
  handOver(changes?: Readonly<Record<string, unknown>>): Promise<string>;
  until(caseId: string, isSo: (theCase: Json) => boolean, what: string): Promise<Json>;
  /** Up to what the service answers to whoever comes back from the eID. */
  logIn(caseId: string, answer: Answer): Promise<Heard>;
  /** Of the one that has just logged in. */
  customer(caseId: string, arrived: Heard): Call;
  /** Sends a form of the case's pages. */
  form(
    caseId: string,
    page: string,
    fields: Readonly<Record<string, string>>,
    cookies?: string,
  ): Promise<Heard>;
  operator(...argv: readonly string[]): Promise<void>;
  stop(): Promise<void>;
  /** Once the operator was told by mail that the case needs somebody for each of these, by itself or among others. */
  operatorTold(caseId: string, ...kinds: readonly AttentionKind[]): Promise<unknown>;
}

export const markedCase = (changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> =>
  newCase({
    patientFirstName: MARKS.firstName,
    patientLastName: MARKS.lastName,
    patientEmail: MARKS.email,
    patientPhone: MARKS.phone,
    injuryDescription: MARKS.injury,
    bookingDeadline: today(40),
    ...changes,
  });

export function gatherPeople({ described, mail }: Ground): People {
  const { web } = described;
  const { call, heard } = createListener(web);
  const partner: Call = (method, path, body, headers) =>
    call(method, `/api/v1${path}`, body, { 'x-api-key': described.apiKey, ...headers });
  const { run, stop } = startableOperator(() => ({
    url: web,
    databaseUrl: described.databaseUrl,
    taskQueue: TASK_QUEUE,
  }));

  return {
    heard,
    call,
    partner,

    async handOver(changes) {
      const { status, body, text } = await partner('POST', '/cases', markedCase(changes));
      if (status !== 201) throw new Error(`a case was answered ${status}: ${text}`);
      return body.id;
    },

    until: (caseId, isSo, what) =>
      eventually(
        async () => {
          const { body } = await partner('GET', `/cases/${caseId}`);
          return isSo(body) && body;
        },
        { what },
      ),

    async logIn(caseId, answer) {
      const begun = await call('POST', `/api/v1/booking/${caseId}/login`);
      const callback = await logInAt(begun.body.authorizationUrl, `${web}/eid/callback`, answer);
      return call('GET', callback.pathname + callback.search, undefined, { cookie: cookiesOf(begun) });
    },

    customer: (caseId, arrived) => (method, path, body) =>
      call(method, `/api/v1/booking/${caseId}${path}`, body, { cookie: cookiesOf(arrived), origin: web }),

    async form(caseId, page, fields, cookies = '') {
      const shown = await call('GET', `/b/${caseId}/help`, undefined, { cookie: cookies });
      const token = /name="_token" value="([^"]+)"/.exec(shown.text)?.[1] ?? '';
      const cookie = [cookies, cookiesOf(shown)].filter((each) => each !== '').join('; ');
      const body = new URLSearchParams({ _token: token, ...fields });
      return call('POST', `/b/${caseId}/${page}`, body, { cookie, origin: web });
    },

    async operator(...argv) {
      const { out, err } = await run(argv, { settings: { TEMPORAL_ADDRESS: described.temporalAddress } });
      if (!argv.includes('--reveal'))
        heard.push({ where: `operator ${argv.slice(0, 2).join(' ')}`, text: `${out}\n${err}` });
    },

    stop,

    operatorTold: (caseId, ...kinds) =>
      eventually(
        () => {
          const mails = mail.received.filter(({ to }) => to === OPERATOR).map(({ raw }) => decoded(raw));
          return kinds.every((kind) => mails.some((text) => isTold(text, kind, caseId)));
        },
        { what: `the operator is told of ${caseId}: ${kinds.join(', ')}` },
      ),
  };
}

const headingOf = (kind: AttentionKind): string => ATTENTION[kind].heading.toLowerCase();

/** Whether the case is named after the kind's heading, and before another's: what is due together comes as one mail. */
function isTold(mail: string, kind: AttentionKind, caseId: string): boolean {
  const [, ...told] = mail.toLowerCase().split(headingOf(kind));
  return told.some((text) => {
    const at = text.indexOf(caseId);
    return at >= 0 && !ATTENTION_KINDS.some((other) => text.slice(0, at).includes(headingOf(other)));
  });
}

const cookiesOf = ({ headers }: Heard): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
