import type { EmailParts, EmailSection } from './email-parts.ts';

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
