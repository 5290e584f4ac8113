import { describe, expect, it } from '@jest/globals';
import { facts, parts, table, titled } from '../../src/operator/terminal.ts';

describe('a table', () => {
  const shown = table(
    { Id: 'id', Note: ({ note }) => note },
    [
      { id: 'first', note: 'a few words that may be told on several lines' },
      { id: 'second\nline', note: null },
    ],
    'None.',
  );

  it('is aligned, a line a row, and says where there is nothing', () => {
    expect(shown(Number.POSITIVE_INFINITY)).toBe(
      [
        'Id           Note',
        'first        a few words that may be told on several lines',
        'second line  -',
      ].join('\n'),
    );
  });

  it('goes on below in its last column where that does not fit', () => {
    expect(shown(40)).toBe(
      [
        'Id           Note',
        'first        a few words that may be',
        '             told on several lines',
        'second line  -',
      ].join('\n'),
    );
  });

  it('is a block a row where the last column would be too narrow', () => {
    expect(shown(30)).toBe(
      [
        'Id    first',
        'Note  a few words that may be',
        '      told on several lines',
        '',
        'Id  second line',
      ].join('\n'),
    );
  });

  it('without rows is a sentence', () => {
    expect(table({ Id: 'id' }, [], 'None.')(80)).toBe('None.');
  });
});

describe('facts, parts and titles', () => {
  it('leave out what is not known', () => {
    expect(
      facts([
        ['Name', 'Kari'],
        ['E-mail', null],
        ['Phone', undefined],
      ])(80),
    ).toBe('Name  Kari');
    expect(parts('one', null, 'two')(80)).toBe('one\n\ntwo');
  });

  it('are indented below a title, empty lines not', () => {
    expect(titled('Title', () => 'a\n\nb')(80)).toBe('Title\n  a\n\n  b');
  });

  it('keep a word that is longer than the line in one piece', () => {
    expect(parts('see https://booking.example/b/3f2a9c1e')(20)).toBe(
      'see\nhttps://booking.example/b/3f2a9c1e',
    );
  });
});
