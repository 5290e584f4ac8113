export interface Token {
  readonly value: string;
  /** Null where the server does not say. */
  readonly lifetimeSeconds: number | null;
}

/** RFC 6749 §5.1 leaves the lifetime to the documentation where it is not told; SMART recommends five minutes. */
const DEFAULT_LIFETIME_SECONDS = 300;
const SECOND = 1_000;

interface Kept {
  readonly value: string;
  /** From here on a new one is fetched, while this one still serves. */
  readonly renewFrom: number;
  /** From here on it could end on its way. */
  readonly usableUntil: number;
}

/**
 * Keeps a token for as long as it lasts, and renews it a while before its end, so that nobody waits for that and a token
 * endpoint may be away for a moment. However many ask, one fetch is under way at a time.
 */
export function createTokenCache(fetchToken: () => Promise<Token>) {
  let kept: Kept | null = null;
  let underWay: Promise<string> | null = null;

  const renew = async (): Promise<string> => {
    const asked = Date.now();
    const { value, lifetimeSeconds } = await fetchToken();
    const lifetime = (lifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS) * SECOND;
    const end = asked + lifetime;
    kept = {
      value,
      renewFrom: end - Math.min(60 * SECOND, lifetime / 4),
      usableUntil: end - Math.min(10 * SECOND, lifetime / 10),
    };
    return value;
  };
  const renewOnce = () => (underWay ??= renew().finally(() => (underWay = null)));

  return {
    async get(): Promise<string> {
      const time = Date.now();
      if (kept === null || time >= kept.usableUntil) return renewOnce();
      // what goes wrong now is told when the old one is over
      if (time >= kept.renewFrom) renewOnce().catch(() => undefined);
      return kept.value;
    },
    /** Forgets this one, which the booking system took for none. One that was fetched since is kept. */
    drop(value: string): void {
      if (kept?.value === value) kept = null;
    },
  };
}
