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
  readonly failureThreshold?: number;
  /** How long it is open then, in milliseconds; twice as long each time that the probe fails, up to the longest. */
  readonly openMs?: number;
  readonly maxOpenMs?: number;
  /** Told of each change, with what the system's last failure was. */
  readonly onChange?: (state: BreakerState, lastFailure: string | null) => void;
}

/** Who asks for more gets this: a slip in a header must not take a clinic out for a year. */
const LONGEST_ASKED_SECONDS = 15 * 60;
const SECOND = 1_000;

/**
 * A circuit breaker. While a booking system is known to be away, whoever asks is told at once, in place of waiting for a
 * time-out. Then a single call probes it, and decides for the others. A system that names a time (Retry-After) is not
 * asked until then.
 *
 * Only ProviderUnavailable counts as a failure: `taken` and `refused` are answers. And nothing but ProviderUnavailable is
 * added here, which claims nothing of what earlier calls may have done.
 */
export function withBreaker(system: BookingSystem, options: BreakerOptions = {}): GuardedBookingSystem {
  const { failureThreshold = 5, openMs = 5_000, maxOpenMs = 30_000, onChange } = options;
  let openUntil = 0;
  let lastFailure: ProviderUnavailable | null = null;
  const isOpen = () => Date.now() < openUntil;
  const extendOpen = (ms: number) => (openUntil = Math.max(openUntil, Date.now() + ms));

  const inARow = new ConsecutiveBreaker(failureThreshold);
  const breaker: IBreaker = {
    state: undefined,
    success: () => inARow.success(),
    // it counts, so it is always asked
    failure: () => inARow.failure() || isOpen(),
  };
  const policy = circuitBreaker(handleType(ProviderUnavailable), {
    breaker,
    halfOpenAfter: new DelegateBackoff(
      ({ attempt }) => extendOpen(Math.min(openMs * 2 ** (attempt - 1), maxOpenMs)) - Date.now(),
    ),
  });
  policy.onStateChange((state) => onChange?.(STATES[state], lastFailure?.message ?? null));

  const circuitOpenError = () =>
    new ProviderUnavailable(`circuit open after ${lastFailure?.message ?? 'failures'}`, {
      reason: lastFailure?.reason ?? null,
      retryAfterSeconds: Math.max(1, Math.ceil((openUntil - Date.now()) / SECOND)),
    });

  const noteFailure = (error: ProviderUnavailable): ProviderUnavailable => {
    const { message, reason, retryAfterSeconds, cause } = error;
    lastFailure = error;
    if (retryAfterSeconds === null) return error;
    const seconds = Math.min(retryAfterSeconds, LONGEST_ASKED_SECONDS);
    extendOpen(seconds * SECOND);
    return new ProviderUnavailable(message, { reason, retryAfterSeconds: seconds, cause });
  };

  const around = async <T>(verb: (system: BookingSystem) => Promise<T>): Promise<T> => {
    if (isOpen() || policy.state === CircuitState.HalfOpen) throw circuitOpenError();
    try {
      return await policy.execute(() =>
        verb(system).catch((error: unknown) => {
          throw error instanceof ProviderUnavailable ? noteFailure(error) : error;
        }),
      );
    } catch (error) {
      throw error instanceof BrokenCircuitError ? circuitOpenError() : error;
    }
  };

  return {
    ...wrapEachVerb(around),
    state() {
      if (policy.state === CircuitState.Closed) return 'closed';
      return isOpen() ? 'open' : 'half_open';
    },
  };
}

const STATES: Record<CircuitState, BreakerState> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
};
