const LOOK_EVERY = 20;

/** Looks again and again until `look` finds what it looks for (not null). @throws when it does not within `patience` ms */
export async function eventually<T>(look: () => Promise<T | null> | T | null, patience = 15_000): Promise<T> {
  const until = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > until)
      throw new Error(`It did not come to that within ${patience} ms: ${look.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}
