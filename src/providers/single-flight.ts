interface Call<T> {
  readonly answer: Promise<T>;
  readonly since: number;
  /** How many wait for the answer. */
  waiting: number;
  /** Nobody waits any more. */
  stop(): void;
}

export interface SingleFlightOptions {
  /** A call that has been under way for longer is joined by nobody: its answer would be too old (milliseconds). */
  readonly joinWithinMs: number;
  /** A clock that only goes forward, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Who asks what is being asked already gets that answer. No answer is kept once it is there.
 *
 * Whoever gives up (`signal`) leaves the others their call; it ends early only when nobody waits for it any more.
 */
export function createSingleFlight<T>({ joinWithinMs, now = () => performance.now() }: SingleFlightOptions) {
  const underWay = new Map<string, Call<T>>();

  const begin = (question: string, ask: (signal: AbortSignal) => Promise<T>): Call<T> => {
    const controller = new AbortController();
    const forget = () => {
      if (underWay.get(question) === call) underWay.delete(question);
    };
    const call: Call<T> = {
      answer: ask(controller.signal).finally(forget),
      since: now(),
      waiting: 0,
      stop() {
        forget();
        controller.abort();
      },
    };
    // each who waits hears of a failure; that nobody does any more is no fault
    call.answer.catch(() => undefined);
    underWay.set(question, call);
    return call;
  };

  return async (
    question: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const known = underWay.get(question);
    const call = known && now() - known.since <= joinWithinMs ? known : begin(question, ask);
    call.waiting += 1;
    const leave = () => {
      call.waiting -= 1;
      if (call.waiting === 0) call.stop();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await call.answer;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
}
