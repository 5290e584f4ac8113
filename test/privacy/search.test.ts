import { describe, expect, it } from '@jest/globals';
import { createSearch } from './search.ts';

const search = createSearch({ words: ['Kanårisen', 'fuglunn'], numbers: ['90055123', '19610719'] });
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a person is found', () => {
  it.each([
    ['in any case', 'KANÅRISEN', 'for kanårisen'],
    ['without accents, and with accents that stand alone', 'kanarisen', 'Kana\u030arisen'],
    ['as a part of another word', 'x-fuglunnsen'],
    ['in a URL', 'name=Kan%C3%A5risen', '%66uglunn', encodeURIComponent('Kanårisen')],
    ['in JSON', '"Kan\\u00e5risen"', JSON.stringify(JSON.stringify('Kan')) + '"Kan\\\\u00E5risen"'],
    ['in HTML', 'Kan&#xe5;risen', '&#102;uglunn'],
    ['in a mail', 'Kan=C3=A5risen', 'fugl=\r\nunn'],
    ['in hexadecimal', Buffer.from('Fuglunn').toString('hex').toUpperCase()],
    ['in base64, wherever it begins', ...['', 'a', 'ab', 'abc'].map((before) => base64(`${before}Fuglunn!`))],
    ['in base64 for URLs', Buffer.from('?>Kanårisen').toString('base64url')],
    ['in base64 over several lines', base64('Kjære Fuglunn').replace(/(.{9})/g, '$1\r\n')],
    [
      'by number',
      '+4790055123',
      '4790055123',
      '004790055123',
      '90 05 51 23',
      '(900) 55-123',
      'tel:90055123;',
    ],
    ['by a date', '1961-07-19T00:00:00Z', '1961.07.19', '19610719'],
  ])('%s', (_, ...texts) => {
    for (const text of texts) expect([text, search(text)]).toEqual([text, expect.any(String)]);
  });
});

it('nobody is found in what says nothing of anybody', () => {
  for (const text of [
    'a kanari sings to a fugl unn',
    '2026-11-21T09:00:55.123Z 190055123 900551234 819610719',
    base64('any other text, of which there is a lot'),
    'case-6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d',
  ])
    expect([text, search(text)]).toEqual([text, null]);
});
