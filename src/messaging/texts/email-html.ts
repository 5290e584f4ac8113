import type { Language } from '../../calendar/format.ts';

/** All plain text; escaped here. */
export interface EmailParts {
  readonly language: Language;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
  readonly closing: readonly string[];
  readonly notes: readonly string[];
}

/**
 * No table, picture or web font, and colours from the mail program (only the button brings both of its own), so that it
 * reads the same in a dark theme, enlarged, or read aloud. The link's address is written out for those who look first.
 */
export function emailHtml({ language, subject, paragraphs, link, closing, notes }: EmailParts): string {
  const url = escape(link.url);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(subject)}</title>
</head>
<body style="margin:0;padding:24px;font-family:Arial,sans-serif;font-size:18px;line-height:1.5">
<div role="article" lang="${language}" style="max-width:36em;margin:0 auto">
${paragraphs.map(paragraph).join('\n')}
<p style="margin:24px 0"><a href="${url}" style="${BUTTON}">${escape(link.label)}</a></p>
<p style="font-size:16px;word-break:break-all"><a href="${url}">${url}</a></p>
${closing.map(paragraph).join('\n')}
${notes.map(note).join('\n')}
</div>
</body>
</html>
`;
}

/** White on this blue has a contrast of 6.5 to 1; the border keeps the shape where backgrounds are taken away. */
const BUTTON =
  'display:inline-block;padding:12px 20px;border:2px solid #0062ba;border-radius:4px;' +
  'background-color:#0062ba;color:#ffffff;font-weight:bold;text-decoration:none';

const paragraph = (text: string): string => `<p>${escape(text)}</p>`;
const note = (text: string): string => `<p style="font-size:16px">${escape(text)}</p>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
