const LOOK_EVERY = 10;
const PATIENCE = 15_000;

/** Looks again and again until there is an answer. @throws with `instead` when it does not come. */
export async function eventually<T>(
  look: () => T | null | Promise<T | null>,
  instead: () => string,
): Promise<T> {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const answer = await look();
    if (answer !== null) return answer;
    if (Date.now() > until) throw new Error(`It never came to that. Instead: ${instead()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}
