import type { EmailLink, EmailParts, EmailSection } from './email-parts.ts';

/**
 * As mail programs are: tables where Outlook knows no other frame, each style on its element since many take a style
 * sheet away, and no picture or font from anywhere. What remains of the sheet is only what has no other place: the dark
 * theme, for programs that tell of it. The others turn all the colours round by themselves, which works as text and
 * ground always bring both. The link's address is written out for those who look first.
 */
export function emailHtml({ subject, preview, from, main, also, notes }: EmailParts): string {
  return `<!doctype html>
<html lang="${main.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no">
<title>${escape(subject)}</title>
<style>${SHEET}</style>
</head>
<body class="ground" style="margin:0;padding:0;${GROUND}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escape(preview)}</div>
<div role="article" aria-roledescription="e-mail" aria-label="${escape(subject)}" lang="${main.language}">
<table ${FRAME} class="ground" style="${GROUND}"><tr><td align="center" class="edge" style="padding:24px 12px">
<!--[if mso]><table ${FRAME} style="width:600px"><tr><td><![endif]-->
<table ${FRAME} style="max-width:600px;${FONT}">
<tr><td class="card" style="padding:28px 32px;border-top:4px solid #0062ba;${CARD}">
<p class="quiet" style="margin:0 0 20px;font-size:16px;font-weight:bold;${QUIET}">${escape(from)}</p>
${section(main, 'h1', 26)}
</td></tr>
${also === null ? '' : `<tr><td class="card line" lang="${also.language}" style="padding:24px 32px;border-top:1px solid #d5dbe3;${CARD}">\n${section(also, 'h2', 20)}\n</td></tr>`}
<tr><td class="foot" style="padding:20px 32px">
${notes.map(({ language, text }) => `<p class="quiet" lang="${language}" style="margin:0 0 12px;font-size:14px;line-height:1.5;${QUIET}">${escape(text)}</p>`).join('\n')}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div>
</body>
</html>
`;
}

function section(part: EmailSection, tag: 'h1' | 'h2', size: number): string {
  const { heading, paragraphs, panel, link, closing } = part;
  return [
    `<${tag} style="margin:0 0 16px;font-size:${size}px;line-height:1.25;font-weight:bold">${escape(heading)}</${tag}>`,
    panel && panelHtml(panel),
    ...paragraphs.map((text) => paragraph(escape(text))),
    link &&
      (tag === 'h1' ? button(link) : paragraph(anchor(link.url, escape(link.label), 'font-weight:bold'))),
    link &&
      tag === 'h1' &&
      paragraph(anchor(link.url, escape(link.url)), 'font-size:14px;word-break:break-all'),
    ...closing.map((text) => paragraph(linked(text, part))),
  ]
    .filter((html) => typeof html === 'string')
    .join('\n');
}

const panelHtml = ({ lines, isCommand }: NonNullable<EmailSection['panel']>): string =>
  `<table ${FRAME} style="margin:0 0 20px"><tr><td class="panel" style="padding:14px 18px;border-left:4px solid #0062ba;${PANEL}${isCommand ? 'font-family:Consolas,Menlo,monospace;font-size:14px;word-break:break-word' : 'font-size:18px;font-weight:bold'}">
${lines.map((line) => `<div style="margin:2px 0">${escape(line)}</div>`).join('\n')}
</td></tr></table>`;

/** Outlook gives a link no padding, but the cell around it a colour. */
const button = ({ url, label }: EmailLink): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 16px"><tr><td bgcolor="#0062ba" style="border-radius:6px;background-color:#0062ba;mso-padding-alt:14px 28px">
<a href="${escape(url)}" style="display:inline-block;padding:12px 26px;border:2px solid #0062ba;border-radius:6px;background-color:#0062ba;color:#ffffff;font-size:18px;font-weight:bold;text-decoration:none">${escape(label)}</a>
</td></tr></table>`;

const paragraph = (html: string, style = ''): string => `<p style="margin:0 0 16px;${style}">${html}</p>`;

const anchor = (url: string, html: string, style = ''): string =>
  `<a class="link" href="${escape(url)}" style="color:#0062ba;text-decoration:underline;${style}">${html}</a>`;

/** The telephone and the address can be touched. */
function linked(text: string, { phone, email }: EmailSection): string {
  const [number, address] = [escape(phone), escape(email)];
  return escape(text)
    .replaceAll(number, anchor(`tel:${phone.replaceAll(/\s/g, '')}`, number, 'white-space:nowrap'))
    .replaceAll(address, anchor(`mailto:${email}`, address));
}

const FRAME = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';
const FONT =
  'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:17px;line-height:1.5;text-align:left';
const GROUND = 'background-color:#f0f3f7;color:#1c2128;';
const CARD = 'background-color:#ffffff;color:#1c2128;';
const QUIET = 'color:#4a5563;';
const PANEL = 'background-color:#e8f1fb;color:#1c2128;';

/** Each pair has a contrast of at least 7 to 1, the button's of 6. */
const SHEET = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.edge{padding:0!important}.card{padding:24px 20px!important}.foot{padding:20px!important}}
@media (prefers-color-scheme:dark){
.ground{background-color:#11151a!important;color:#eef1f5!important}
.card{background-color:#1d232b!important;color:#eef1f5!important}
.line{border-top-color:#46515e!important}
.panel{background-color:#173250!important;color:#ffffff!important}
.quiet{color:#bcc6d2!important}
.link{color:#9bcbff!important}
}
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
