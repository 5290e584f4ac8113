import { today } from '../../support/new-case.ts';
import type { Account } from './account.ts';
import { attempt, attemptOf, insist, type Caller, type Tried } from './call.ts';

export interface PartnerDeps {
  readonly call: Caller;
  /** The API, over the wire that partners have. */
  readonly api: string;
  /** Of the case's partner. */
  readonly keys: readonly string[];
  /** Nobody insists for longer (Unix time in milliseconds). */
  readonly until: number;
}

/** What the insurer of a case does. */
export function partnerOf(account: Account, { call, api, keys, until }: PartnerDeps) {
  const { planned, marks, partnerCaseId } = account;
  const key = keys[planned.number % keys.length] ?? '';
  const headers = { 'x-api-key': key };
  const idempotencyKey = `chaos-${partnerCaseId}`;

  const note = <T extends Tried>(tried: T): T => {
    account.attempts.push(attemptOf(tried));
    return tried;
  };
  const act = (deed: 'recall' | 'expire', path: string, body?: unknown) =>
    insist(
      async () => note(await attempt({ deed, hour: null }, () => call({ url: api + path, headers, body }))),
      ({ outcome }) => outcome === 'granted' || outcome === 'refused',
      until,
    );

  return {
    /** Repeats it with the same key until it is answered. @returns the case's id; null when it never was */
    async create(): Promise<string | null> {
      const body = {
        partnerCaseId,
        patientFirstName: marks.firstName,
        patientLastName: marks.lastName,
        ...(planned.reach === 'sms' ? {} : { patientEmail: marks.email }),
        ...(planned.reach === 'email' ? {} : { patientPhone: marks.phone }),
        injuryDate: today(-30),
        injuryDescription: marks.injury,
        treatmentType: planned.treatmentType,
        bookingDeadline: today(40),
      };
      const tryOnce = async () => {
        const tried = note(
          await attempt({ deed: 'create', hour: null }, () =>
            call({ url: `${api}/cases`, headers: { ...headers, 'idempotency-key': idempotencyKey }, body }),
          ),
        );
        if (typeof tried.sent !== 'string' && tried.sent.status === 201)
          account.created.push(tried.sent.body.id);
        return tried;
      };
      await insist(tryOnce, ({ outcome }) => outcome === 'granted' || outcome === 'refused', until);
      return account.created[0] ?? null;
    },

    recall: (id: string) => act('recall', `/cases/${id}/recall`, { reason: marks.reason }),
    /** The last day passes. */
    expire: (id: string) => act('expire', `/sandbox/cases/${id}/expire`),
  };
}
