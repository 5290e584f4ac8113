export interface ReceivedMail {
  readonly to: readonly { readonly address: string }[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Reads a mail box of `dev/mail.ts`, each mail once: who waits for one looks again and again, and the box of a service
 * that suites share has thousands, which it would write, pack and send each time. For one suite: with the next service
 * the box may begin anew.
 *
 * @param url where the box shows its mails
 * @returns all that have come so far, the newest last
 */
export function mailboxOf(url: () => string | null): () => Promise<readonly ReceivedMail[]> {
  const read: ReceivedMail[] = [];
  return async () => {
    const skip = read.length;
    const answer = await fetch(`${url() ?? ''}/email?skip=${skip}`);
    const more = (await answer.json()) as readonly ReceivedMail[];
    // another look may have been quicker
    read.push(...more.slice(read.length - skip));
    return read;
  };
}
