import { every } from '../main/process.ts';
import { type AccountMail, settleAccountMail, takeAccountMail } from '../postgres/account-mails.ts';
import type { Queries } from '../postgres/database.ts';

const RUN_EVERY = 2_000;

export interface AccountMailsOptions {
  readonly send: (mail: AccountMail) => Promise<unknown>;
  /** Whether this failure means that no further attempt can reach the address. */
  readonly isFinal: (error: unknown) => boolean;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Sends what partners' users are to be told of their accounts, each in one of any number of processes. What the mail
 * server did not take is tried again two minutes later, for a day.
 */
export const startAccountMails = (
  database: Queries,
  { send, isFinal, onFailure }: AccountMailsOptions,
): { stop(): Promise<void> } =>
  every(
    RUN_EVERY,
    async () => {
      for (;;) {
        const mail = await takeAccountMail(database);
        if (!mail) return;
        try {
          await send(mail);
        } catch (error) {
          onFailure(error);
          if (!isFinal(error)) continue;
        }
        await settleAccountMail(database, mail.id);
      }
    },
    onFailure,
  );
