import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';

/** So much of a page's weight may be a mark (bytes, before it is packed). */
const LIMIT = 16_384;

const SVG = /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<svg[\s>]/;

/** A directory of insurers' marks, each a file `<partner>.svg`: the pictures, by partner. None where it is left out. */
export const partnerMarks = z
  .string()
  .optional()
  .transform((directory, context): ReadonlyMap<PartnerId, string> => {
    if (!directory) return new Map();
    try {
      const files = readdirSync(directory).filter((name) => name.endsWith('.svg'));
      const pictures = files.map((name) => [name, readFileSync(join(directory, name), 'utf8')] as const);
      for (const [name, picture] of pictures)
        if (!SVG.test(picture) || Buffer.byteLength(picture) > LIMIT)
          context.addIssue(`has ${name}, which is no SVG picture of at most 16 kB`);
      return new Map(
        pictures.map(([name, picture]) => [name.slice(0, -'.svg'.length) as PartnerId, picture]),
      );
    } catch {
      context.addIssue('must be a directory that can be read');
      return z.NEVER;
    }
  });
