import { deadlineOn } from '../../calendar/dates.ts';
import { type Channel, CHANNELS } from '../../domain/case-state.ts';
import { isCorrection } from '../../domain/contactability.ts';
import { instant } from '../../domain/instant.ts';
import { permit } from '../../domain/permit.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { correctNames, readBoundPerson, stageCorrection } from '../../postgres/customers.ts';
import { afterCommand, stateOrThrow } from '../command-result.ts';
import type { Dependencies } from '../dependencies.ts';
import { refusalError, validationFailed } from '../errors.ts';
import type { Add } from '../operation.ts';
import type { PatchCaseInput } from './inputs.ts';
import * as described from './operations.ts';
import { forPartners, partnersCase } from './partners-case.ts';

/** `PATCH /cases/{id}`: all or nothing, so everything is judged before anything is asked for (contract §1). */
export function changeCaseRoute(add: Add, deps: Dependencies): void {
  const { database, caseClient, now } = deps;
  const { read, show } = partnersCase(deps);

  add(described.changeCase, async ({ param, res, body }) => {
    const view = await read(param('caseId'), res);
    const input = await body();
    if (input.patientPhone?.takesSms === false && !(input.patientEmail ?? view.patient_email))
      throw noWayToReach();
    const corrected = correctedChannels(view, input);
    const namesGiven = input.patientFirstName !== undefined || input.patientLastName !== undefined;
    const movesDeadline =
      input.bookingDeadline !== undefined && input.bookingDeadline !== view.state.deadline.date;
    if (movesDeadline) judge(view, 'moveDeadline');
    if (corrected.length > 0) judge(view, 'changeContact');
    if (namesGiven && (await readBoundPerson(database, view.id))) throw namesAreBound(input);

    const correct = async () => {
      if (corrected.length > 0) await correctContact(view, input, corrected);
    };
    if (movesDeadline) {
      const deadline = deadlineOn(input.bookingDeadline ?? view.state.deadline.date);
      stateOrThrow(await caseClient.execute(view, 'moveDeadline', { deadline }, 'partner'), forPartners);
      await afterCommand(correct);
    } else {
      await correct();
    }
    return afterCommand(async () => {
      const names = { first: input.patientFirstName ?? null, last: input.patientLastName ?? null };
      if (namesGiven && !(await correctNames(database, view.id, names))) throw namesAreBound(input);
      return show(await read(view.id, res));
    });
  });

  function judge(view: CaseView, action: 'moveDeadline' | 'changeContact'): void {
    const verdict = permit(view.state, action, instant(now()));
    if (verdict.verdict === 'refused') throw refusalError(verdict.refusal, forPartners);
  }

  async function correctContact(
    view: CaseView,
    { patientEmail, patientPhone }: PatchCaseInput,
    corrected: readonly Channel[],
  ): Promise<void> {
    const correctionId = await stageCorrection(database, view.id, {
      patientEmail: patientEmail ?? null,
      patientPhone: patientPhone?.e164 ?? null,
    });
    const { email, sms } = view.state.reach;
    const reach = { email: patientEmail !== undefined || email, sms: patientPhone?.takesSms ?? sms };
    const input = { reach, corrected, correctionId };
    stateOrThrow(await caseClient.execute(view, 'changeContact', input, 'partner'), forPartners);
  }
}

/** The channels whose address really changes; one that was disowned is confirmed by giving it again. */
const correctedChannels = (view: CaseView, { patientEmail, patientPhone }: PatchCaseInput): Channel[] =>
  CHANNELS.filter((channel) =>
    channel === 'email'
      ? isCorrection(view.state, channel, patientEmail, view.patient_email)
      : isCorrection(view.state, channel, patientPhone?.e164, view.patient_phone),
  );

const namesAreBound = ({ patientFirstName, patientLastName }: PatchCaseInput) =>
  validationFailed(
    Object.entries({ patientFirstName, patientLastName })
      .filter(([, value]) => value !== undefined)
      .map(([field]) => ({
        field,
        code: 'identity_bound',
        message: 'can not change any more, since the customer has logged in. Please ask our operator.',
      })),
  );

const noWayToReach = () =>
  validationFailed([
    {
      field: 'patientPhone',
      code: 'no_sms',
      message:
        'can not get SMS, and the case has no e-mail address: give a mobile number, or patientEmail too.',
    },
  ]);
