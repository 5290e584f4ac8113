import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleType,
  type IBreaker,
} from 'cockatiel';
import { type BookingSystem, ProviderUnavailable, wrapEachVerb } from './port.ts';

/** Closed is the usual state. `half_open`: the next call tries whether the system answers, or one is trying now. */
export type BreakerState = 'closed' | 'open' | 'half_open';

export interface GuardedBookingSystem extends BookingSystem {
  state(): BreakerState;
}

export interface BreakerOptions {
  /** So many failures, with no success between them, open it. */
  readonly failures?: number;
  /** How long it is open then, in milliseconds; twice as long each time that the trial fails, up to the longest. */
  readonly restMs?: number;
  readonly longestRestMs?: number;
  /** Told of each change, with what the system's last failure was. */
  readonly onChange?: (state: BreakerState, lastFailure: string | null) => void;
}

/** Who asks for more gets this: a slip in a header must not take a clinic out for a year. */
const LONGEST_ASKED_SECONDS = 15 * 60;
const SECOND = 1_000;

/**
 * Leaves a booking system alone while it is known to be away: whoever asks is told at once, in place of waiting for a
 * time-out. Then a single call tries it, and decides for the others. A system that names a time (Retry-After) is left
 * alone until then.
 *
 * Only ProviderUnavailable counts as a failure: `taken` and `refused` are answers. And nothing but ProviderUnavailable is
 * added here, which claims nothing of what earlier calls may have done.
 */
export function withBreaker(system: BookingSystem, options: BreakerOptions = {}): GuardedBookingSystem {
  const { failures = 5, restMs = 5_000, longestRestMs = 30_000, onChange } = options;
  let restsUntil = 0;
  let lastFailure: string | null = null;
  const isResting = () => Date.now() < restsUntil;
  const restAtLeast = (ms: number) => (restsUntil = Math.max(restsUntil, Date.now() + ms));

  const inARow = new ConsecutiveBreaker(failures);
  const breaker: IBreaker = {
    state: undefined,
    success: () => inARow.success(),
    // it counts, so it is always asked
    failure: () => inARow.failure() || isResting(),
  };
  const policy = circuitBreaker(handleType(ProviderUnavailable), {
    breaker,
    halfOpenAfter: new DelegateBackoff(
      ({ attempt }) => restAtLeast(Math.min(restMs * 2 ** (attempt - 1), longestRestMs)) - Date.now(),
    ),
  });
  policy.onStateChange((state) => onChange?.(STATES[state], lastFailure));

  const leftAlone = () =>
    new ProviderUnavailable(`left alone for a while, after ${lastFailure ?? 'failures'}`, {
      retryAfterSeconds: Math.max(1, Math.ceil((restsUntil - Date.now()) / SECOND)),
    });

  const noted = (error: ProviderUnavailable): ProviderUnavailable => {
    const { message, retryAfterSeconds, cause } = error;
    lastFailure = message;
    if (retryAfterSeconds === null) return error;
    const seconds = Math.min(retryAfterSeconds, LONGEST_ASKED_SECONDS);
    restAtLeast(seconds * SECOND);
    return new ProviderUnavailable(message, { retryAfterSeconds: seconds, cause });
  };

  const around = async <T>(verb: (system: BookingSystem) => Promise<T>): Promise<T> => {
    if (isResting() || policy.state === CircuitState.HalfOpen) throw leftAlone();
    try {
      return await policy.execute(() =>
        verb(system).catch((error: unknown) => {
          throw error instanceof ProviderUnavailable ? noted(error) : error;
        }),
      );
    } catch (error) {
      throw error instanceof BrokenCircuitError ? leftAlone() : error;
    }
  };

  return {
    ...wrapEachVerb(around),
    state() {
      if (policy.state === CircuitState.Closed) return 'closed';
      return isResting() ? 'open' : 'half_open';
    },
  };
}

const STATES: Record<CircuitState, BreakerState> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
};
