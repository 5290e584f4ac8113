import escape from 'escape-html';
import type { Language } from '../../calendar/format.ts';

/** What an e-mail consists of, before it becomes text and HTML. All of it plain text. */
export interface EmailParts {
  readonly subject: string;
  /** What mail programs show beside the subject. */
  readonly preview: string;
  /** Who speaks. */
  readonly from: string;
  readonly main: EmailSection;
  /** The same in another language, and the words there that tell of it above. */
  readonly also: (EmailSection & { readonly below: string }) | null;
  /** The small print. */
  readonly notes: readonly { readonly language: Language; readonly text: string }[];
}

export interface EmailSection {
  readonly language: Language;
  readonly heading: string;
  /** The time that holds. */
  readonly when: string | null;
  readonly paragraphs: readonly string[];
  /** What the reader may type. */
  readonly commands: readonly string[];
  readonly link: EmailLink | null;
  readonly closing: readonly string[];
  /** These can be touched wherever they stand in `closing`. */
  readonly phone: string;
  readonly email: string;
}

export interface EmailLink {
  readonly label: string;
  readonly url: string;
}

/**
 * As mail programs are: tables where Outlook knows no other frame, and no picture or font from anywhere. In the style
 * sheet stands only what has no other place: the dark theme, for programs that tell of it. The others turn all the
 * colours round by themselves, which works as text and ground always bring both.
 */
export function emailHtml({ subject, preview, from, main, also, notes }: EmailParts): string {
  const announcement =
    also &&
    `<br><span lang="${also.language}" style="${SMALL}font-weight:normal">${escape(also.below)}</span>`;
  const alsoRow =
    also &&
    `<tr><td class="card line" lang="${also.language}" style="padding:24px 32px;border-top:1px solid #d5dbe3;${CARD}">
${section(also, 'h2')}
</td></tr>`;
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
<tr><td class="card" style="padding:28px 32px;border-top:4px solid ${BLUE};${CARD}">
<p class="quiet" style="margin:0 0 20px;font-size:16px;font-weight:bold;${QUIET}">${escape(from)}${announcement ?? ''}</p>
${section(main, 'h1')}
</td></tr>
${alsoRow ?? ''}
<tr><td class="foot" style="padding:20px 32px">
${notes.map(({ language, text }) => `<p class="quiet" lang="${language}" style="margin:0 0 12px;${SMALL}${QUIET}">${escape(text)}</p>`).join('\n')}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div>
</body>
</html>
`;
}

/** The time that holds stands above the words, commands below them. */
function section(part: EmailSection, tag: 'h1' | 'h2'): string {
  const { heading, when, paragraphs, commands, link, closing } = part;
  const size = tag === 'h1' ? 26 : 20;
  return [
    `<${tag} style="margin:0 0 16px;font-size:${size}px;line-height:1.25;font-weight:bold">${escape(heading)}</${tag}>`,
    ...(when === null ? [] : [panel([when], 'font-size:18px;font-weight:bold')]),
    ...paragraphs.map((text) => paragraph(escape(text))),
    ...(commands.length === 0 ? [] : [panel(commands, COMMANDS)]),
    ...(link === null ? [] : [tag === 'h1' ? mainLink(link) : plainLink(link)]),
    ...closing.map((text) => paragraph(withContacts(text, part))),
  ].join('\n');
}

const FONT =
  'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:17px;line-height:1.5;text-align:left;word-break:break-word';
const SMALL = 'font-size:14px;line-height:1.5;';
const COMMANDS = 'font-family:Consolas,Menlo,monospace;font-size:14px';
const GROUND = 'background-color:#f0f3f7;color:#1c2128;';
const CARD = 'background-color:#ffffff;color:#1c2128;';

/** Each pair of colours has a contrast of at least 7 to 1, the button's of 6. */
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

/** What an e-mail is put together from. Every style stands on its element: many programs take a style sheet away. */

const FRAME = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';
const BLUE = '#0062ba';
const QUIET = 'color:#4a5563;';
const PANEL = `border-left:4px solid ${BLUE};background-color:#e8f1fb;color:#1c2128;padding:14px 18px;`;

const paragraph = (html: string, style = ''): string => `<p style="margin:0 0 16px;${style}">${html}</p>`;

const anchor = (url: string, html: string, style = ''): string =>
  `<a class="link" href="${escape(url)}" style="color:${BLUE};text-decoration:underline;${style}">${html}</a>`;

/** Outlook gives a link no padding, but the cell around it a colour. */
const button = ({ url, label }: EmailLink): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 16px">
<tr><td bgcolor="${BLUE}" style="border-radius:6px;background-color:${BLUE};mso-padding-alt:14px 28px">
<a href="${escape(url)}" style="display:inline-block;padding:12px 26px;border:2px solid ${BLUE};border-radius:6px;background-color:${BLUE};color:#ffffff;font-size:18px;font-weight:bold;text-decoration:none">${escape(label)}</a>
</td></tr></table>`;

/** What the mail is for: one button, and its address for those who look first where it leads. */
const mainLink = (link: EmailLink): string =>
  button(link) +
  paragraph(anchor(link.url, escape(link.url)), 'font-size:14px;line-height:1.5;word-break:break-all');

const plainLink = ({ url, label }: EmailLink): string =>
  paragraph(anchor(url, escape(label), 'font-weight:bold'));

/** What stands out. */
const panel = (lines: readonly string[], style: string): string =>
  `<table ${FRAME} style="margin:0 0 20px"><tr><td class="panel" style="${PANEL}${style}">
${lines.map((line) => `<div style="margin:4px 0">${escape(line)}</div>`).join('\n')}
</td></tr></table>`;

/** The telephone and the address can be touched. */
function withContacts(text: string, { phone, email }: EmailSection): string {
  const [number, address] = [escape(phone), escape(email)];
  return escape(text)
    .replaceAll(number, anchor(`tel:${phone.replaceAll(/\s/g, '')}`, number, 'white-space:nowrap'))
    .replaceAll(address, anchor(`mailto:${email}`, address));
}

/** The e-mail for who reads without HTML: the same words in the same order. */
export const emailText = ({ from, main, also, notes }: EmailParts): string =>
  [
    also === null ? from : `${from} · ${also.below}`,
    ...linesOf(main),
    ...(also === null ? [] : [LINE, ...linesOf(also)]),
    LINE,
    ...notes.map(({ text }) => text),
  ].join('\n\n') + '\n';

const LINE = '---';

const linesOf = ({ heading, when, paragraphs, commands, link, closing }: EmailSection): string[] => [
  heading.toUpperCase(),
  ...(when === null ? [] : [indented(when)]),
  ...paragraphs,
  ...(commands.length === 0 ? [] : [commands.map(indented).join('\n')]),
  ...(link === null ? [] : [`${link.label}:\n${link.url}`]),
  ...closing,
];

const indented = (line: string): string => `    ${line}`;
