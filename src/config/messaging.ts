import { isSupportedCountry } from 'libphonenumber-js/max';
import { z } from 'zod';

/** Who writes to customers and operators, and by which server: what settings may say of it. */

/** `Name <address>`, the name in quotation marks or not, or the address alone. No second header after a line break. */
const NAME_AND_ADDRESS = /^(?:"?([^"<>\r\n]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/;

/** The mails' From. */
export const mailFrom = z.string().transform((text, context) => {
  const [, name = '', inBrackets, alone] = NAME_AND_ADDRESS.exec(text.trim()) ?? [];
  const address = z.email().safeParse(inBrackets ?? alone);
  if (address.success) return { name, address: address.data };
  context.addIssue('must be `Name <address>`, or an address alone');
  return z.NEVER;
});

/** Numbers in E.164, or names of up to 11 letters, digits and spaces, which not every country takes. */
const E164_NUMBER = /^\+[1-9]\d{6,14}$/;
const SENDER_NAME = /^(?=.*[a-z])[a-z0-9 ]{1,11}$/i;
const MESSAGING_SERVICE_SID = /^MG[0-9a-f]{32}$/i;

/** Whom an SMS is from, in the words of Twilio's API. */
export const twilioSender = z.string().transform((text, context) => {
  if (MESSAGING_SERVICE_SID.test(text)) return { messagingServiceSid: text };
  if (E164_NUMBER.test(text) || SENDER_NAME.test(text)) return { from: text };
  context.addIssue(
    'must be a number (+47…), a name of up to 11 letters and digits, or the SID of a Messaging Service (MG and 32 digits)',
  );
  return z.NEVER;
});

/**
 * Without a query: nodemailer reads options from it, which would silently take the place of ours. Another authority's
 * certificates are trusted by NODE_EXTRA_CA_CERTS.
 */
export const smtpUrl = z
  .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })
  .refine((text) => new URL(text).hostname !== '', 'must name a host')
  .refine((text) => new URL(text).search === '', 'must have nothing behind a ?');

/** Where alerts are posted to. What a receiver is known by is often in its path or query: it is kept as it is. */
export const webhookUrl = z.url({ protocol: /^https?$/, error: 'must be an https:// address' });

/** `whsec_` and a key of 24 to 64 bytes in base64 (Standard Webhooks 1.0). */
export const webhookSecret = z
  .string()
  .regex(
    /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/,
    'must be whsec_ and 24 to 64 random bytes in base64 (openssl rand -base64 32)',
  );

/** An unsigned alert could be anybody's. */
export function requireWebhookSecret(
  settings: {
    readonly ALERT_WEBHOOK_URL?: string | undefined;
    readonly ALERT_WEBHOOK_SECRET?: string | undefined;
  },
  context: z.RefinementCtx,
): void {
  if (settings.ALERT_WEBHOOK_URL === undefined || settings.ALERT_WEBHOOK_SECRET !== undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['ALERT_WEBHOOK_SECRET'],
    message: 'is needed with ALERT_WEBHOOK_URL',
  });
}

/** A link in an SMS begins with it: of 160 characters, these leave enough for what the message has to say. */
export const MAX_PUBLIC_URL_LENGTH = 60;

/** In production a customer's mail does not cross the network in the open; elsewhere it may. */
export const isTlsRequired = ({
  ENVIRONMENT,
  SMTP_TLS = ENVIRONMENT === 'production' ? 'required' : 'offered',
}: {
  readonly ENVIRONMENT: 'test' | 'production';
  readonly SMTP_TLS?: 'required' | 'offered' | undefined;
}): boolean => SMTP_TLS === 'required';

/** How many messages may leave. Partners who try things out have all of them sent to themselves. */
export const messageBounds = ({
  ENVIRONMENT,
  MESSAGES_PER_RECIPIENT_DAY = ENVIRONMENT === 'production' ? 10 : 1e9,
  MESSAGES_PER_PARTNER_HOUR = ENVIRONMENT === 'production' ? 5_000 : 1e9,
}: {
  readonly ENVIRONMENT: 'test' | 'production';
  readonly MESSAGES_PER_RECIPIENT_DAY?: number | undefined;
  readonly MESSAGES_PER_PARTNER_HOUR?: number | undefined;
}) => ({
  perRecipientAndDay: MESSAGES_PER_RECIPIENT_DAY,
  perPartnerAndHour: MESSAGES_PER_PARTNER_HOUR,
});

/** The European Economic Area (ISO 3166), with Åland and Svalbard, which have numbers of Finland's and Norway's. */
const EEA = 'AT AX BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SJ SK';

/**
 * The countries to whose numbers SMS are sent. Numbers of all others, and those of no country (satellites, and services
 * that bill the sender), count as numbers that can't get SMS: who may enter a number must not choose what an SMS costs.
 */
export const smsCountries = z
  .string()
  .default('')
  .transform((text) => (text.trim() || EEA).toUpperCase().split(/[\s,]+/))
  .refine(
    (countries) => countries.every((country) => isSupportedCountry(country)),
    'must be codes of countries, such as NO SE DK',
  );
