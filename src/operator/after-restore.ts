import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import type { Booking } from '../domain/case-state.ts';
import { type CaseId, parseCaseId, type PartnerId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { countUnreadable, eraseCase, listReturned } from '../postgres/personal-data.ts';
import {
  adoptCase,
  beginRestore,
  finishRestore,
  listForgotten,
  listRestored,
  listToldSince,
  type NotAdopted,
  type Restore,
} from '../postgres/restores.ts';
import type { StartedCase } from '../temporal/case-client.ts';
import type { InputOf } from './descriptions/index.ts';
import { timeOf } from './input-rules.ts';
import { answer, type Answer, logged, type Operation } from './operation.ts';
import { temporalUnavailable, wrongFields } from './operator-error.ts';
import { facts, parts, table, titled } from './view.ts';

/** Cases that Temporal lists, looked up in PostgreSQL at a time; and workflows that are asked at a time. */
const PAGE = 500;
const AT_ONCE = 10;
/** How long a workflow may take to be shown (milliseconds). */
const SHOWN_WITHIN = 20_000;

/**
 * Follows up that the database was put back from a backup (docs/decisions/0110). Each step leaves what is done already, so
 * whatever it was broken off by, the same again goes on.
 */
export async function afterRestore(
  operation: Operation,
  { since, erased: given, again = false }: InputOf<'after-restore'>,
): Promise<Answer> {
  const { database, say } = operation;
  const from = timeOf('since', since) ?? null;
  const erasedSince = idsIn(given ?? '');
  return logged(operation, {}, async () => {
    const restore = await beginRestore(database, again);
    const returned = await erase(operation, await listReturned(database));
    if (restore.finishedAt && erasedSince.length === 0)
      return answer('This database was not restored since, so there is nothing to do.', {
        ...{ finished: true, begunAt: restore.begunAt, erased: returned.erased, notErased: [], adopted: 0 },
        ...{ notAdopted: [], restored: [], unreadable: 0, withoutWorkflow: 0, heldBack: 0, unanswered: 0 },
      });
    say(`Events are numbered above ${restore.numbersAbove}; ${returned.erased} cases are erased again.`);
    await requireWorkers(operation);
    const taken = await adoptForgotten(operation, from);
    say('A worker compares all cases with their workflows.');
    const counts = await operation.reconcile({ full: true }).catch(noAnswer);
    const unshown = await tellAnew(operation, restore, taken.adopted);
    const erasedNow = await erase(operation, erasedSince);
    const unanswered = taken.unanswered + counts.unanswered + unshown;
    const finished = unanswered === 0 && (await finishRestore(database, restore));
    return report({
      ...{ finished, begunAt: restore.begunAt, erased: returned.erased + erasedNow.erased },
      ...{ notErased: erasedNow.notErased, adopted: taken.adopted.length, notAdopted: taken.notAdopted },
      ...{ restored: await listRestored(database, restore), unreadable: await countUnreadable(database) },
      ...{ withoutWorkflow: counts.withoutWorkflow, heldBack: counts.heldBack, unanswered },
    });
  });
}

function idsIn(text: string): readonly CaseId[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const ids = words.flatMap((word) => parseCaseId(word) ?? []);
  if (ids.length < words.length)
    throw wrongFields([{ field: 'erased', message: 'must be whole ids of cases, one a line.' }]);
  return ids;
}

async function erase({ database, actor }: Operation, ids: readonly CaseId[]) {
  const notErased: CaseId[] = [];
  for (const id of ids)
    if (!(await eraseCase(database, id, { why: 'request', by: actor.name }))) notErased.push(id);
  return { erased: ids.length - notErased.length, notErased };
}

const noAnswer = (): never => {
  throw temporalUnavailable(
    'Temporal or its workers do not answer. What is done so far stays: the numbers are ahead, and what was erased is ' +
      'erased again. Start the workers, and do the same again; keep the API stopped until then.',
  );
};

/** Without them no workflow says how it stands. */
async function requireWorkers({ workerVersions }: Operation): Promise<void> {
  if (!(await workerVersions.isWorking().catch(noAnswer))) noAnswer();
}

interface Left extends Pick<StartedCase, 'caseId' | 'partnerId' | 'reference'> {
  readonly why: NotAdopted;
  /** What stands, or may stand, in clinics' calendars. */
  readonly bookings: readonly Pick<Booking, 'bookingId' | 'providerId' | 'start'>[];
}

/** Takes over what PostgreSQL has no row of. @param since null for all that Temporal has */
async function adoptForgotten({ database, caseClient, say }: Operation, since: Instant | null) {
  const adopted: CaseId[] = [];
  const notAdopted: Left[] = [];
  let unanswered = 0;

  const adopt = async (one: StartedCase): Promise<void> => {
    const { caseId, partnerId, reference, treatmentType, startedAt, isRunning } = one;
    const { state } = await caseClient.readSnapshot(caseId);
    const outcome = await adoptCase(database, {
      ...{ caseId, reference, treatmentType, startedAt, state, partnerId: partnerId as PartnerId },
    });
    if (outcome !== 'adopted') {
      const bookings = state.bookings.map(({ bookingId, providerId, start }) => ({
        ...{ bookingId, providerId, start },
      }));
      notAdopted.push({ caseId, partnerId, reference, why: outcome, bookings });
      return;
    }
    // one that is over is written down by the comparison, from its history
    if (isRunning) await caseClient.reproject(caseId, 0);
    adopted.push(caseId);
  };

  let looked = 0;
  const settle = async (page: readonly StartedCase[]) => {
    const forgotten = await listForgotten(
      database,
      page.map(({ caseId }) => caseId),
    );
    await pMap(
      page.filter(({ caseId }) => forgotten.includes(caseId)),
      (one) =>
        adopt(one).catch(() => {
          unanswered += 1;
        }),
      { concurrency: AT_ONCE },
    );
    looked += page.length;
    say(`${looked} workflows are looked up; ${adopted.length} cases are taken over.`);
  };

  let page: StartedCase[] = [];
  try {
    for await (const one of caseClient.listStarted(since)) {
      page.push(one);
      if (page.length < PAGE) continue;
      await settle(page);
      page = [];
    }
  } catch {
    noAnswer();
  }
  await settle(page);
  return { adopted, notAdopted, unanswered };
}

/**
 * Has those cases told anew whose workflows went on before they were compared, and waits until all of these are.
 *
 * @returns how many are not
 */
async function tellAnew({ database, caseClient }: Operation, restore: Restore, adopted: readonly CaseId[]) {
  const told = await listToldSince(database, restore);
  const awaited = new Set(adopted);
  await pMap(
    told,
    async ({ id, revision }) => {
      // the last event of one that is over says how it stands
      if ((await caseClient.describe(id)).status !== 'running') return;
      awaited.add(id);
      await caseClient.reproject(id, revision);
    },
    { concurrency: AT_ONCE },
  ).catch(noAnswer);
  for (const end = Date.now() + SHOWN_WITHIN; ;) {
    const shown = new Set((await listRestored(database, restore)).map(({ caseId }) => caseId));
    const missing = [...awaited].filter((id) => !shown.has(id));
    if (missing.length === 0 || Date.now() > end) return missing.length;
    await delay(250);
  }
}

const WHY: Record<NotAdopted, string> = {
  partner_unknown: 'its partner is not registered: add it, and do the same again',
  treatment_unknown: 'its treatment is not registered: add it, and do the same again',
  handed_over_again:
    'its partner has handed it over again: cancel its appointment at the clinic, and terminate its workflow',
};

interface Report {
  readonly finished: boolean;
  readonly begunAt: Instant;
  readonly erased: number;
  readonly notErased: readonly CaseId[];
  readonly adopted: number;
  readonly notAdopted: readonly Left[];
  readonly restored: Awaited<ReturnType<typeof listRestored>>;
  readonly unreadable: number;
  readonly withoutWorkflow: number;
  readonly heldBack: number;
  readonly unanswered: number;
}

function report(result: Report): Answer {
  const { finished, notAdopted, notErased, restored, unanswered } = result;
  const byPartner = restored.toSorted((one, other) => (one.partnerId < other.partnerId ? -1 : 1));
  return answer(
    parts(
      finished
        ? 'The restore is followed up: the API can be started.'
        : `${unanswered} cases did not answer: do the same again.`,
      facts([
        ['Erased again', result.erased],
        ['Taken over from their workflows', result.adopted],
        ['Told anew', restored.length],
        ['Without a key', result.unreadable || null],
        ['Without a workflow', result.withoutWorkflow || null],
        ['Held back', result.heldBack || null],
        ['Not erased, since they are not archived', notErased],
      ]),
      restored.length > 0
        ? titled(
            'Told anew (`case.restored`)',
            table(
              { Partner: 'partnerId', Case: 'caseId', Status: 'status', 'To be sent again': 'lost' },
              byPartner,
              '',
            ),
          )
        : null,
      notAdopted.length > 0
        ? titled(
            'Not taken over',
            table<Left>(
              {
                ...({ Partner: 'partnerId', Reference: 'reference', Case: 'caseId' } as const),
                Why: ({ why }) => WHY[why],
                Appointments: ({ bookings }) =>
                  bookings.map(({ providerId, start }) => `${providerId} ${start}`),
              },
              notAdopted,
              '',
            ),
          )
        : null,
    ),
    result,
  );
}
