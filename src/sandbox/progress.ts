/** Says what is being done, and how long it took; lines that a step has to say are shown below it. */
export function createProgress(write: (text: string) => void) {
  return async <T>(what: string, step: (log: (line: string) => void) => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await step((line) => write(`    ${what}: ${line}\n`));
    write(`  ✓ ${what} (${((performance.now() - begun) / 1000).toFixed(1)} s)\n`);
    return result;
  };
}
export type Progress = ReturnType<typeof createProgress>;
