/** Does the work for each of these, so many at a time. */
export async function inTurns<T, R>(
  these: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = these.entries();
  const walk = async () => {
    for (const [i, one] of queue) results[i] = await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, walk));
  return results;
}
