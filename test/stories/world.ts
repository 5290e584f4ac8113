import type { StackDescription } from '../../dev/stack/stack.ts';
import type { Json } from '../support/browser.ts';
import { mailboxOf } from '../support/mailbox.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** The world around the service, as its partners, clinics and customers see it: over its own protocols only. */
export function worldOf(stack: StackDescription) {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    key: string = stack.apiKey,
  ): Promise<Answer> => {
    const response = await fetch(stack.api + path, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  };

  const mailbox = mailboxOf(() => stack.mail);

  return {
    call,

    /** A case of Kari Nordmann's, with whatever is told otherwise. */
    async newCase(fields: Record<string, unknown> = {}): Promise<Json> {
      const created = await call('POST', '/cases', {
        partnerCaseId: `story-${crypto.randomUUID()}`,
        patientFirstName: 'Kari',
        patientLastName: 'Nordmann',
        patientEmail: 'kari.nordmann@example.com',
        patientPhone: '+4790000000',
        injuryDate: '2026-10-01',
        injuryDescription: 'Fall on ice by the bus stop',
        treatmentType: 'psychology',
        bookingDeadline: inDays(20),
        ...fields,
      });
      if (created.status !== 201) throw new Error(`not created: ${JSON.stringify(created.body)}`);
      return created.body;
    },

    /** Mails about the case, newest last. */
    mails: async (caseId: string) => (await mailbox()).filter(({ text }) => text.includes(caseId)),

    mailbox,

    async texts(caseId: string): Promise<Json[]> {
      const all = (await (await fetch(`${stack.phone}/messages`)).json()) as Json[];
      return all.filter(({ body }) => String(body).includes(caseId));
    },

    /** The case's appointments in every clinic's calendar, cancelled ones too. */
    async appointments(caseId: string): Promise<Json[]> {
      const found = await Promise.all(
        stack.providers.map(async ({ staffUrl }) => {
          const bundle = (await (
            await fetch(`${staffUrl}/Appointment?identifier=${caseId}&_count=200`)
          ).json()) as Json;
          return (bundle.entry ?? []).map((entry: Json) => entry.resource);
        }),
      );
      return found.flat();
    },
  };
}
export type World = ReturnType<typeof worldOf>;

/** A date so many days from now. Days are told apart by more than a few hours here, so UTC will do. */
export const inDays = (days: number): string =>
  new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
