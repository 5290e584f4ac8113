import type { PhoneMessage } from './inbox.ts';

/**
 * A Message as Twilio's API 2010-04-01 shows it.
 *
 * @see https://www.twilio.com/docs/messaging/api/message-resource
 */
export function messageJson(accountSid: string, message: PhoneMessage): object {
  const date = new Date(message.sentAt).toUTCString().replace('GMT', '+0000');
  const path = `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}`;
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: message.body,
    date_created: date,
    date_sent: date,
    date_updated: date,
    direction: 'outbound-api',
    error_code: message.errorCode,
    error_message: null,
    from: message.from,
    messaging_service_sid: message.messagingServiceSid,
    num_media: '0',
    num_segments: String(segments(message.body)),
    price: null,
    price_unit: 'USD',
    sid: message.sid,
    status: message.status,
    subresource_uris: { media: `${path}/Media.json` },
    to: message.to,
    uri: `${path}.json`,
  };
}

/** As Twilio has it just after taking a message: nothing is sent yet. */
export function queuedJson(accountSid: string, message: PhoneMessage): object {
  return { ...messageJson(accountSid, message), status: 'queued', date_sent: null, error_code: null };
}

const GSM_7 =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const GSM_7_TWICE = '^{}\\[~]|€';

/** How many SMS a text takes: 160 characters of GSM 03.38, or 70 UTF-16 units when one is outside of it. */
function segments(body: string): number {
  const signs = Array.from(body);
  const inGsm = signs.every((sign) => GSM_7.includes(sign) || GSM_7_TWICE.includes(sign));
  const length = inGsm
    ? signs.length + signs.filter((sign) => GSM_7_TWICE.includes(sign)).length
    : body.length;
  const [single, part] = inGsm ? [160, 153] : [70, 67];
  return length <= single ? 1 : Math.ceil(length / part);
}
