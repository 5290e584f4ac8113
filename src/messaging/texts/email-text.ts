import type { EmailParts, EmailSection } from './email-parts.ts';

/** The e-mail for who reads without HTML: the same words in the same order. */
export const emailText = ({ from, main, also, notes }: EmailParts): string =>
  [
    from,
    ...lines(main),
    ...(also === null ? [] : ['– – –', ...lines(also)]),
    '– – –',
    ...notes.map(({ text }) => text),
  ].join('\n\n') + '\n';

const lines = ({ heading, panel, paragraphs, link, closing }: EmailSection): string[] => [
  heading.toUpperCase(),
  ...(panel === null ? [] : [panel.lines.map((line) => `    ${line}`).join('\n')]),
  ...paragraphs,
  ...(link === null ? [] : [`${link.label}:\n${link.url}`]),
  ...closing,
];
