/** Too many wait already; whoever comes later may find room. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/** Runs `atOnce` pieces of work at a time; up to `waiting` others wait in line. @throws QueueFull beyond */
export function createBoundedQueue({
  atOnce,
  waiting,
}: {
  readonly atOnce: number;
  readonly waiting: number;
}) {
  const line: (() => void)[] = [];
  let inside = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (inside < atOnce) inside += 1;
    else if (line.length < waiting) await new Promise<void>((enter) => line.push(enter));
    else throw new QueueFull('too many wait already');
    try {
      return await work();
    } finally {
      // whoever is next takes the place over, so that nobody slips in between
      const next = line.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}
