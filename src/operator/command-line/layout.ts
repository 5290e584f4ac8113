import type { View } from '../view.ts';

/** Lays out what people read for a terminal that has so many characters in a line. */
export function layOut(view: View, width: number): string {
  if (typeof view === 'string') return wrap(view, width).join('\n');
  if ('parts' in view) return view.parts.map((part) => layOut(part, width)).join('\n\n');
  if ('facts' in view) return factLines(view.facts, width);
  if ('title' in view) {
    const below = layOut(view.view, width - INDENT.length);
    return `${view.title}\n${below.replace(/^(?=.)/gm, INDENT)}`;
  }
  return tableLines(view, width);
}

const GAP = '  ';
const INDENT = '  ';
/** A column is not wrapped to less than this. */
const LEGIBLE = 20;

function factLines(facts: readonly (readonly [name: string, value: string])[], width: number): string {
  const indent = Math.max(...facts.map(([name]) => name.length)) + GAP.length;
  return facts
    .flatMap(([name, text]) =>
      wrap(text, Math.max(width - indent, LEGIBLE)).map(
        (line, i) => (i === 0 ? name : '').padEnd(indent) + line,
      ),
    )
    .join('\n');
}

/**
 * A last column that does not fit wraps; where too little room is left for that, each row is a block of its own.
 */
function tableLines(
  { headings, rows }: { headings: readonly string[]; rows: readonly (readonly string[])[] },
  width: number,
): string {
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const before = widths.slice(0, -1).reduce((sum, column) => sum + column + GAP.length, 0);
  const longestWord = Math.max(
    ...rows.flatMap((row) => (row.at(-1) ?? '').split(' ')).map((word) => word.length),
  );
  const room = width - before;
  if (room < Math.min(widths.at(-1) ?? 0, Math.max(longestWord, LEGIBLE))) {
    const blocks = rows.map((row) =>
      headings.map((heading, i) => [heading, row[i] ?? ''] as const).filter(([, text]) => text !== ''),
    );
    return blocks.map((facts) => factLines(facts, width)).join('\n\n');
  }
  const line = (row: readonly string[]) => {
    const start = row.slice(0, -1).map((text, i) => (text || '-').padEnd(widths[i] ?? 0) + GAP);
    return start.join('') + wrap(row.at(-1) || '-', room).join(`\n${' '.repeat(before)}`);
  };
  return [headings, ...rows].map((row) => line(row).trimEnd()).join('\n');
}

function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1) ?? '';
      if (line === '') lines[lines.length - 1] = word;
      else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
      else lines.push(word);
    }
    return lines;
  });
}
