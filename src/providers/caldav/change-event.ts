import { ProviderUnavailable } from '../port.ts';
import type { Clinic } from './clinic.ts';
import type { CalendarObject, Written } from './objects.ts';
import { writeObject } from './objects.ts';

/** What to do about an event as it was found: write its object, or leave it with this verdict. */
export type Step<T> = { readonly write: CalendarObject; readonly then: T } | { readonly leave: T };

export type Changed<T> =
  { readonly outcome: 'settled'; readonly verdict: T } | Extract<Written, { outcome: 'refused' }>;

/** A series is one object: whoever changes another of its events is in the way, too. */
const ATTEMPTS = 16;

/**
 * Reads, judges and writes with `If-Match`. When somebody was quicker it is read again and judged again: it may be our
 * own earlier attempt whose answer was lost. So it is when the server does not say that it keeps what was sent.
 *
 * @param look reads it anew
 * @param isReadBack whether what was written is looked at again, whatever the server says of it
 * @throws ProviderUnavailable when others keep changing it, or the server does not keep what we write
 */
export async function changeEvent<T>(
  clinic: Clinic,
  look: () => Promise<Step<T>>,
  { isReadBack, signal }: { readonly isReadBack: boolean; readonly signal?: AbortSignal | undefined },
): Promise<Changed<T>> {
  let isKept = true;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const step = await look();
    if ('leave' in step) return { outcome: 'settled', verdict: step.leave };
    const written = await writeObject(clinic.server, step.write, signal);
    if (written.outcome === 'refused') return written;
    isKept = written.outcome === 'conflict';
    const isSettled = written.outcome === 'done' && written.asSent && !isReadBack;
    if (isSettled) return { outcome: 'settled', verdict: step.then };
  }
  throw new ProviderUnavailable(
    isKept ? 'CalDAV PUT: others keep changing it' : 'CalDAV PUT: it does not keep what is written',
  );
}
