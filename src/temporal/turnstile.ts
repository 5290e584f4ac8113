/** Lets at most `atOnce` pieces of work for the same key run at a time; the others wait in line. */
export function createTurnstile(atOnce: number) {
  const lines = new Map<string, { inside: number; waiting: (() => void)[] }>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { inside: 0, waiting: [] };
    lines.set(key, line);
    if (line.inside >= atOnce) await new Promise<void>((enter) => line.waiting.push(enter));
    else line.inside += 1;
    try {
      return await work();
    } finally {
      // Whoever is next takes the place over, so that nobody slips in between.
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.inside === 0) lines.delete(key);
    }
  };
}
