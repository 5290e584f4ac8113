import type { EmailLink, EmailSection } from './email-parts.ts';

/** What an e-mail is put together from. Every style stands on its element: many programs take a style sheet away. */

export const FRAME = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';
export const BLUE = '#0062ba';
export const QUIET = 'color:#4a5563;';
const PANEL = `border-left:4px solid ${BLUE};background-color:#e8f1fb;color:#1c2128;padding:14px 18px;`;

export const paragraph = (html: string, style = ''): string =>
  `<p style="margin:0 0 16px;${style}">${html}</p>`;

const anchor = (url: string, html: string, style = ''): string =>
  `<a class="link" href="${escape(url)}" style="color:${BLUE};text-decoration:underline;${style}">${html}</a>`;

/** Outlook gives a link no padding, but the cell around it a colour. */
const button = ({ url, label }: EmailLink): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 16px">
<tr><td bgcolor="${BLUE}" style="border-radius:6px;background-color:${BLUE};mso-padding-alt:14px 28px">
<a href="${escape(url)}" style="display:inline-block;padding:12px 26px;border:2px solid ${BLUE};border-radius:6px;background-color:${BLUE};color:#ffffff;font-size:18px;font-weight:bold;text-decoration:none">${escape(label)}</a>
</td></tr></table>`;

/** What the mail is for: one button, and its address for those who look first where it leads. */
export const mainLink = (link: EmailLink): string =>
  button(link) +
  paragraph(anchor(link.url, escape(link.url)), 'font-size:14px;line-height:1.5;word-break:break-all');

export const plainLink = ({ url, label }: EmailLink): string =>
  paragraph(anchor(url, escape(label), 'font-weight:bold'));

/** What stands out. */
export const panel = (lines: readonly string[], style: string): string =>
  `<table ${FRAME} style="margin:0 0 20px"><tr><td class="panel" style="${PANEL}${style}">
${lines.map((line) => `<div style="margin:4px 0">${escape(line)}</div>`).join('\n')}
</td></tr></table>`;

/** The telephone and the address can be touched. */
export function withContacts(text: string, { phone, email }: EmailSection): string {
  const [number, address] = [escape(phone), escape(email)];
  return escape(text)
    .replaceAll(number, anchor(`tel:${phone.replaceAll(/\s/g, '')}`, number, 'white-space:nowrap'))
    .replaceAll(address, anchor(`mailto:${email}`, address));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
