/** Keeps the last `limit` lines of a process's output, for the message that says why it ended. */
export function createTail(limit: number): { add: (text: string) => void; text: () => string } {
  let lines = [''];
  return {
    add(text) {
      const [first = '', ...rest] = text.split('\n');
      lines[lines.length - 1] = (lines.at(-1) ?? '') + first;
      lines = [...lines, ...rest].slice(-limit);
    },
    text: () => lines.join('\n').trim(),
  };
}
