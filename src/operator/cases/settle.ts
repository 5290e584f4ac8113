import { type BulkScope, listBulk, runBulk } from '../../cases/bulk.ts';
import { BULK_ACTIONS, type BulkKind } from '../../domain/attention.ts';
import type { InputOf } from '../descriptions/index.ts';
import { answer, type Answer, confirm, logged, type Operation } from '../operation.ts';
import { OperatorError, refusal, temporalUnavailable, wrongFields, wrongUsage } from '../operator-error.ts';
import { requirePartner } from '../partners.ts';
import { facts } from '../view.ts';
import { restartOne } from './commands.ts';

/** One case's workflow, or all that are lost. */
export function restart(
  operation: Operation,
  { allLost, case: given, note, ...input }: InputOf<'case restart'>,
): Promise<Answer> {
  if (allLost && given !== undefined) throw wrongUsage('--all-lost is for all of them, so it takes no case.');
  if (allLost) return settleAll(operation, { kind: 'workflow_lost' }, note);
  if (given === undefined) throw wrongFields([{ field: 'case', message: 'is required.' }]);
  return restartOne(operation, { ...input, case: given, note });
}

/** What brings on all cases that one cause stopped. */
export async function settle(
  operation: Operation,
  { kind, cause, partner, note }: InputOf<'case settle'>,
): Promise<Answer> {
  const partnerId = partner === undefined ? undefined : await requirePartner(operation, partner);
  return settleAll(operation, { kind, cause, partnerId }, note);
}

/** What is done, in words for whoever is asked. */
const DONE: Readonly<Record<(typeof BULK_ACTIONS)[BulkKind], string>> = {
  restart:
    'Their workflows will be started again from the stored cases; a message that was being sent may be lost',
  retry: 'They will go on where they stopped',
  resend: 'Their links will be sent again',
  sendMessage: 'Their messages will be tried now',
  transferBooking: 'Their appointments will be tried at the clinic now',
  releaseBooking: 'Their cancellations will be tried at the clinic now',
};

async function settleAll(operation: Operation, scope: BulkScope, note: string | undefined): Promise<Answer> {
  const { database, caseClient, now, say, signal } = operation;
  const count = (await listBulk(database, scope)).length;
  if (count === 0) return answer('No case needs that.', { total: 0, done: 0, refused: {} });
  const action = BULK_ACTIONS[scope.kind];
  confirm(operation, `${count} cases need it for ${scope.kind}. ${DONE[action]}.`, { expected: `${count}` });
  let said = 0;
  const progress = await runBulk({ database, caseClient, now }, scope, {
    signal,
    around: (caseId, work) =>
      logged(operation, { caseId, note }, async () => {
        const outcome = await work();
        if (outcome !== 'done') throw refusal(outcome, 'It was not done.');
        return outcome;
      }).catch((error: unknown) => {
        if (error instanceof OperatorError) return error.code;
        throw error;
      }),
    onProgress({ through, total }) {
      if (through < total && Date.now() - said < 1_000) return;
      said = Date.now();
      say(`${through} of ${total}`);
    },
  });
  const { total, done, refused, isBrokenOff } = progress;
  if (isBrokenOff)
    throw temporalUnavailable(
      `Temporal does not answer: ${done} of ${total} cases are through. The same again goes on with the rest.`,
    );
  const rest = Object.entries(refused).map(([code, times]) => `${times} ${code}`);
  return answer(
    facts([
      ['Cases', total],
      ['Done', done],
      ['Not done', rest],
    ]),
    { total, done, refused },
  );
}
