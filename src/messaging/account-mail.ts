import { formatTimestamp } from '../calendar/format.ts';
import type { AccountMail } from '../postgres/account-mails.ts';
import type { Mail } from './mail.ts';
import { type Email, oneLine, renderEmail } from './texts/email.ts';

export interface AccountMailOptions {
  readonly mail: Mail;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly supportEmail: string;
  readonly supportPhone: string;
}

/** Tells a partner's user of the account, so that somebody else's doings are noticed. @throws AddressRefused, DeliveryUnavailable */
export const createAccountMail =
  ({ mail, ...service }: AccountMailOptions) =>
  (notice: AccountMail): Promise<{ reference: string }> =>
    mail.send({
      to: notice.email,
      ...composeAccountMail(notice, service),
      dedupId: `account:${notice.id}`,
    });

/** In English, as the API's documentation is. No secret in it, and no link that asks for one. */
function composeAccountMail(
  { email, partner_name: partnerName, created_at: at, about }: AccountMail,
  { publicUrl, supportEmail, supportPhone }: Omit<AccountMailOptions, 'mail'>,
): Email {
  const { host } = new URL(publicUrl);
  const { heading, happened, whatToDo } = wordsOf(about);
  const partner = oneLine(partnerName);
  return renderEmail({
    subject: `${heading} (${partner}, ${host})`,
    preview: happened,
    from: 'Treatment booking: for partners',
    main: {
      language: 'en',
      heading,
      when: formatTimestamp(at),
      paragraphs: [happened, `If this was you or a colleague, there is nothing to do. If not: ${whatToDo}`],
      commands: [],
      link: null,
      closing: [`Call us on ${supportPhone}, or write to ${supportEmail}.`],
      phone: supportPhone,
      email: supportEmail,
    },
    also: null,
    notes: [
      { language: 'en', text: `You get this because ${email} is an account of ${partner} at ${host}.` },
    ],
  });
}

function wordsOf(about: AccountMail['about']) {
  switch (about.kind) {
    case 'key_created':
      return {
        heading: 'A new API key',
        happened: `The API key “${about.keyName}” (${about.hint}…) was made by ${about.by ?? 'our operator'}. It opens your company’s cases.`,
        whatToDo:
          'revoke the key with DELETE /auth/api-keys/{keyId}, and tell us at once, so that we suspend the account.',
      };
    case 'new_network':
      return {
        heading: 'A login from a new network',
        happened: `Somebody logged in to your account from ${about.network === null ? 'an unknown network' : `the network ${about.network}`}, from where nobody has in the last 90 days.`,
        whatToDo: 'tell us at once, so that we suspend the account: somebody else knows your password.',
      };
  }
}
