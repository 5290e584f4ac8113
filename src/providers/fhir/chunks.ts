/** Many at once, and yet an address that every server and proxy takes. */
const AT_ONCE = 20;

export function chunks<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / AT_ONCE);
  return Array.from({ length: count }, (_, n) => all.slice(n * AT_ONCE, (n + 1) * AT_ONCE));
}
