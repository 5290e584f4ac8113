import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../support/browser.ts';
import type { Outside } from '../outside.ts';

/** The customers' mail box, as it lies on disk, and their telephones. */
export async function seeMessages(
  mailDirectory: string,
  phoneUrl: string,
): Promise<Pick<Outside, 'mails' | 'texts'>> {
  const files = (await readdir(mailDirectory)).filter((name) => name.endsWith('.eml'));
  const mails = await Promise.all(
    files.map(async (name) => headersOf(await readFile(join(mailDirectory, name), 'utf8'))),
  );
  const texts = (await (await fetch(`${phoneUrl}/messages`)).json()) as Json[];
  return { mails, texts: texts.map(({ to, body }) => ({ to, body })) };
}

function headersOf(mail: string) {
  const [head = ''] = mail.split(/\r?\n\r?\n/, 1);
  // a long header goes on in the next line
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const valueOf = (name: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? '';
  return { to: valueOf('to').replaceAll(/^.*<|>$/g, ''), messageId: valueOf('message-id') };
}
