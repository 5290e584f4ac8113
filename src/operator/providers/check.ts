import { daysAfter, instant } from '../../domain/instant.ts';
import type { ProviderRow } from '../../postgres/catalogue.ts';
import { variablesOf } from '../../postgres/provider-connection.ts';
import { ProviderUnavailable, type BookingSystem } from '../../providers/port.ts';
import { Ending } from '../ending.ts';
import type { Operation } from '../operation.ts';

const DAYS = 14;
/** A service to ask for where none is offered yet: only to see whether the system answers. */
const ANY_TREATMENT = 'psychology';

export interface Checked {
  readonly treatmentType: string;
  /** Free times in the next days. */
  readonly free: number;
}

/**
 * Asks the booking system for free times, as it will be asked for customers. One that answers without any is fine, but
 * worth a look: it may name the service by another code.
 *
 * @throws Ending when it does not answer as it should
 */
export async function checkProvider(
  operation: Operation,
  provider: ProviderRow,
  treatments: readonly string[],
): Promise<readonly Checked[]> {
  const { connect, isSet, now } = operation;
  const missing = provider.connection && variablesOf(provider.connection).find((name) => !isSet(name));
  if (missing) {
    throw unchecked(
      `${missing} is not set where this command runs, so it can not show who it is there. ` +
        'Set it here as for the API and the worker.',
    );
  }
  const system = connect(provider);
  if (!system) throw unchecked(`The kind "${provider.kind}" of booking system is not known.`);
  const from = instant(now());
  const ask = async (treatmentType: string): Promise<Checked> => ({
    treatmentType,
    free: (await search(system, { treatmentType, from, to: daysAfter(from, DAYS) })).length,
  });
  return Promise.all((treatments.length > 0 ? treatments : [ANY_TREATMENT]).map(ask));
}

async function search(system: BookingSystem, query: Parameters<BookingSystem['search']>[0]) {
  try {
    return await system.search(query);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    throw unchecked(`The booking system does not answer as it should: ${error.message}.`);
  }
}

const unchecked = (message: string) =>
  new Ending('refused', 'PROVIDER_UNCHECKED', `${message} (--unchecked leaves this out.)`);

/** What the check found, in words. */
export const found = (checked: readonly Checked[]): string =>
  checked
    .map(({ treatmentType, free }) =>
      free > 0
        ? `${treatmentType}: ${free} free times in the next ${DAYS} days.`
        : `${treatmentType}: no free times in the next ${DAYS} days. Does the clinic name the service by this code?`,
    )
    .join('\n');
