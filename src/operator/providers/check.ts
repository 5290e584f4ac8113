import type { NewProvider, ProviderRow } from '../../postgres/catalogue.ts';
import { variablesOf } from '../../postgres/provider-connection.ts';
import { conclude } from '../../providers/conformance/examine.ts';
import { Ending } from '../ending.ts';
import type { Operation } from '../operation.ts';
import { reportJson, reportText, type Report } from './report.ts';
import type { TrialOptions } from './trial-options.ts';
import { tryOut } from './try-out.ts';

const DAYS = 14;
/** A service to ask for where none is offered yet: only to see whether the system answers. */
const ANY_TREATMENT = 'psychology';

/**
 * Tries the booking system as customers will use it, as far as the options allow. One that answers without any free
 * time is fine as long as nothing is to be tried on it: its calendar may be full.
 *
 * @throws Ending with the whole report when it does not do what it should
 */
export async function checkProvider(
  operation: Operation,
  provider: ProviderRow,
  treatments: readonly string[],
  options: TrialOptions,
): Promise<Report> {
  requireVariables(operation, provider);
  const [first = ANY_TREATMENT, ...more] = treatments;
  const report = await tryOut({
    ...options,
    providerId: provider.id,
    connect: (onMalformed) => operation.connect(provider, onMalformed),
    treatments: [first, ...more],
    days: DAYS,
    terminal: operation.terminal,
    now: operation.now,
  });
  const conclusion = conclude(report.examination);
  if (conclusion === 'passed' || (conclusion === 'not_proved' && !options.write)) return report;
  throw new Ending('refused', 'PROVIDER_UNCHECKED', reportText(report)(operation.terminal.width), {
    check: reportJson(report),
  });
}

function requireVariables({ isSet }: Operation, { connection }: ProviderRow): void {
  const missing = connection ? variablesOf(connection).filter((name) => !isSet(name)) : [];
  if (missing.length === 0) return;
  throw new Ending(
    'refused',
    'PROVIDER_UNCHECKED',
    `${missing.join(', ')} is not set where this command runs, so it can not show who it is there. ` +
      'Set it here as for the API and the worker. (--unchecked leaves the check out.)',
  );
}

/** @throws Ending when nothing here speaks to that kind of booking system */
export function requireKind({ kinds }: Operation, { kind }: Pick<NewProvider, 'kind'>): void {
  if (kinds.includes(kind)) return;
  throw new Ending(
    'wrongUsage',
    'UNKNOWN_KIND',
    `There is no kind "${kind}" of booking system. There are: ${kinds.join(', ')}.`,
    { kinds },
  );
}
