import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { FINDING_KINDS } from '../../src/domain/findings.ts';
import { BOOKING_CHECKS } from '../../src/providers/conformance/booking.ts';
import { HOLDING_CHECKS } from '../../src/providers/conformance/holding.ts';
import { READING_CHECKS } from '../../src/providers/conformance/reading.ts';
import { PROVIDER_KINDS } from '../../src/providers/connect.ts';

const text = await readFile(new URL('../../docs/providers.md', import.meta.url), 'utf8');
const rows = text.split('\n').filter((line) => line.startsWith('| '));
const firstCells = rows.map((line) => line.split('|')[1]?.trim().replaceAll('`', ''));

it.each([
  [
    'every line of a check',
    [...READING_CHECKS, ...HOLDING_CHECKS, ...BOOKING_CHECKS].map(({ name }) => name),
  ],
  ['everything that is found at a clinic', Object.keys(FINDING_KINDS)],
])('docs/providers.md says what %s means', (_, all) => {
  expect(firstCells).toEqual(expect.arrayContaining(all));
});

it('docs/providers.md says what each kind of booking system has to have', () => {
  for (const kind of PROVIDER_KINDS) expect(text).toContain(`\`--kind ${kind}\``);
});
