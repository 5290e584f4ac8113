interface Fault {
  readonly kind: string;
  readonly code?: string;
  readonly cause?: Fault;
  readonly at?: readonly string[];
}

/** What went wrong, for the log: kind and place, since messages may quote what a customer wrote. */
export const faultOf = (thrown: unknown): Fault =>
  thrown instanceof Error
    ? {
        // slonik's errors differ by their class only
        kind: thrown.name === 'Error' ? thrown.constructor.name : thrown.name,
        ...('code' in thrown && typeof thrown.code === 'string' ? { code: thrown.code } : {}),
        ...(thrown.cause === undefined ? {} : { cause: faultOf(thrown.cause) }),
        at:
          thrown.stack
            ?.split('\n')
            .filter((line) => line.startsWith('    at '))
            .slice(0, 6)
            .map((line) => line.trim()) ?? [],
      }
    : { kind: typeof thrown };

/** The same in a few words, for what is tried again every second: `ConnectionError ECONNREFUSED`. */
export const reasonOf = (thrown: unknown): string => {
  const words: string[] = [];
  for (let fault: Fault | undefined = faultOf(thrown); fault; fault = fault.cause)
    words.push(fault.kind, fault.code ?? '');
  return [...new Set(words)].join(' ').trim();
};
