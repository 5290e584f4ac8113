import { describe, expect, it } from '@jest/globals';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { eventually } from '../support/eventually.ts';
import type { MetCase } from './support/case.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

interface Payload {
  readonly metadata: { readonly encoding: Buffer };
  readonly data: Buffer;
}
/** Temporal's numbers for them. */
const COMPLETED = 3;
const SIGNALS = 1;
const payload = (encoding: string, text: string): Payload => ({
  metadata: { encoding: Buffer.from(encoding) },
  data: Buffer.from(text),
});
const json = (value: unknown) => payload('json/plain', JSON.stringify(value));
const UNREADABLE = [payload('json/plain', '{"actor":'), payload('binary/nobody', 'x')];
const later = () => instant(Date.now() + 60_000);

/** As the buttons of Temporal's UI and its command line send it: whatever was typed. */
describe('what somebody sends to a case by hand', () => {
  const world = useWorld('real');

  const openCase = async () => {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    return theCase;
  };
  const whereOf = ({ handle }: MetCase) => ({
    namespace: 'default',
    workflowExecution: { workflowId: handle.workflowId },
  });
  const signal = (theCase: MetCase, signalName: string, payloads: Payload[]) =>
    theCase.handle.client.workflowService.signalWorkflowExecution({
      ...whereOf(theCase),
      signalName,
      input: { payloads },
    });
  const update = async (theCase: MetCase, name: string, payloads: Payload[]): Promise<string> => {
    const { outcome } = await theCase.handle.client.workflowService.updateWorkflowExecution({
      ...whereOf(theCase),
      request: { meta: { updateId: `${Math.random()}` }, input: { name, args: { payloads } } },
      waitPolicy: { lifecycleStage: COMPLETED },
    });
    const told = outcome?.failure?.encodedAttributes?.data;
    return told ? (JSON.parse(Buffer.from(told).toString()) as { message: string }).message : 'done';
  };

  it('as a signal that makes no sense changes nothing, and the case goes on', async () => {
    const theCase = await openCase();
    const before = theCase.reading();
    for (const [name, ...payloads] of [
      ['nobody', json('?')],
      ['requestAssistance'],
      ['requestAssistance', json('help')],
      ['requestAssistance', json({ actor: 'ghost' })],
      ['disownContact', json(null)],
      ['messageFailed'],
      ['messageFailed', json({ channel: 'pigeon' })],
      ['clinicCancelled', json({ bookingId: 'x' })],
      ['clinicMoved', json({ bookingId: 1 })],
      ['slotFreed', json(null)],
      ['verificationNoted', json({})],
      ['reproject', json({ atLeast: 'x' })],
      ['reproject'],
    ] as const)
      await signal(theCase, name, payloads);
    await theCase.arrived();
    expect(theCase.reading()).toEqual(before);
    expect(await theCase.recall()).toMatchObject({ status: 'recalled' });
  });

  it('as an update that makes no sense is refused, and the case goes on', async () => {
    const theCase = await openCase();
    const ask = { actor: 'operator', notAfter: later() };
    const refused = /invalid payload for|No registered handler|Unknown encoding|JSON/;
    for (const [name, ...payloads] of [
      ['nobody', json(ask)],
      ['recall'],
      ['recall', json({})],
      ['recall', json({ ...ask, actor: 'ghost' })],
      ['recall', json({ ...ask, notAfter: 'tomorrow' })],
      ['moveDeadline', json({ ...ask, deadline: { date: '2027-01-01' } })],
      ['confirmBooking', json({ ...ask, slot: {} })],
      ['changeContact', json({ ...ask, hasAddress: { email: 'yes' } })],
      ...UNREADABLE.map((unreadable) => ['recall', unreadable] as const),
    ] as const)
      expect([name, await update(theCase, name, payloads)]).toEqual([name, expect.stringMatching(refused)]);
    expect(theCase.shown().status).toBe('pending_patient_action');
    expect(await theCase.recall()).toMatchObject({ status: 'recalled' });
  });

  it('and can not be read stops the case, until it is reset to before it without its signals', async () => {
    const theCase = await openCase();
    const { workflowService } = theCase.handle.client;
    for (const unreadable of UNREADABLE) await signal(theCase, 'requestAssistance', [unreadable]);
    const stuck = await eventually(async () => {
      const { events } = await theCase.history();
      return (
        events?.some(({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes) && events
      );
    });
    const poisoned = stuck.findIndex(
      ({ workflowExecutionSignaledEventAttributes: it }) => it !== null && it !== undefined,
    );
    const before = stuck
      .slice(0, poisoned)
      .findLast(({ workflowTaskCompletedEventAttributes: it }) => it !== null && it !== undefined);
    await workflowService.resetWorkflowExecution({
      ...whereOf(theCase),
      reason: 'a signal that nobody can read',
      workflowTaskFinishEventId: before?.eventId ?? null,
      requestId: `${Math.random()}`,
      resetReapplyExcludeTypes: [SIGNALS],
    });
    expect(await theCase.recall()).toMatchObject({ status: 'recalled' });
    await theCase.untilMessages(...sent('invitation', 'recalled'));
  });

  it.each([
    [null],
    [{}],
    [{ outcome: 'fine' }],
    [{ outcome: 'booked', reference: 7 }],
    [{ outcome: 'gone' }],
  ])(
    'as %j for the result of a transfer stops the case in the open, and a recall leaves nothing at the clinic',
    async (result) => {
      const clinic = world.openClinic();
      const theCase = await openCase();
      const pause = clinic.pause('book');
      await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
      await pause.reached();
      const { pendingActivities } = (await theCase.handle.describe()).raw;
      const transfer = pendingActivities?.find(
        ({ activityType }) => activityType?.name === 'transferBooking',
      );
      await theCase.handle.client.workflowService.respondActivityTaskCompletedById({
        namespace: 'default',
        workflowId: theCase.handle.workflowId,
        activityId: transfer?.activityId ?? null,
        result: { payloads: [json(result)] },
      });
      await theCase.untilStatus('error');
      pause.goOn();
      expect(await theCase.recall()).toMatchObject({ status: 'recalled' });
      await theCase.until(({ bookings }) => bookings.length === 0);
      await eventually(() => clinic.live().length + clinic.marked().length === 0);
    },
  );
});
