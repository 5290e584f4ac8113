import type { ReceivedSpan } from '../../dev/trace-receiver.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { CreatedCase } from '../measure-cases.ts';
import { median, percentile, type Row, steadily } from '../measure.ts';
import { atMost, atOnce, line, type LoadGround } from './ground.ts';

const CONFIRMS = 30;

/**
 * Customers confirm, so many a second, while as many cases are handed over. Theirs were started and told of before, as
 * those of all who have a link.
 */
export async function confirmsAt(
  { confirm, create, traces, untilAtRest }: LoadGround,
  perSecond: number,
): Promise<Row[]> {
  const seconds = Math.ceil(CONFIRMS / perSecond);
  const invited: CreatedCase[] = [];
  await atOnce(seconds * perSecond, 10, async () => void invited.push(await create()));
  await untilAtRest();
  const took = new Map<string, number>();
  await steadily(seconds, perSecond, async (i) => {
    const one = invited[i];
    if (one) await Promise.all([create(), confirm(one).then((ms) => took.set(one.id, ms))]);
  });
  const all = [...took.values()];
  const clinics = await clinicsTimes(traces, new Set(took.keys()));
  const own = [...took].map(([id, ms]) => ms - (clinics.get(id) ?? 0));
  const at = `confirm at ${perSecond} lives a second`;
  return [
    line(`${at}: median (ms)`, median(all)),
    line(`${at}: 99 % (ms)`, percentile(all, 99)),
    line(`${at}: the clinic's own time, median (ms)`, median([...clinics.values()])),
    atMost(`${at}: above the clinic's own time, median (ms)`, median(own), 150),
  ];
}

const CONFIRM = 'POST /api/v1/booking/:caseId/confirm';

/** For how long clinics were asked while each of these cases' confirms was under way, in milliseconds: by their traces. */
async function clinicsTimes(
  traces: string,
  caseIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const read = async () => {
    const spans = (await (await fetch(`${traces}/spans`)).json()) as ReceivedSpan[];
    const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
    return spans
      .filter(({ name, attributes }) => name === CONFIRM && attributes['http.response.status_code'] === '200')
      .map((confirm) => ({ confirm, id: confirm.attributes['booking.case_id'] ?? '' }))
      .filter(({ id }) => caseIds.has(id))
      .map(({ confirm, id }) => [id, askedDuring(confirm, byTrace.get(confirm.traceId) ?? [])] as const)
      .filter(([, ms]) => ms > 0);
  };
  let times: Awaited<ReturnType<typeof read>> = [];
  await eventually(async () => (times = await read()).length === caseIds.size, {
    what: 'the traces of all confirms',
  });
  return new Map(times);
}

/** Requests side by side count once. */
function askedDuring(confirm: ReceivedSpan, trace: readonly ReceivedSpan[]): number {
  const requests = trace
    .filter(({ attributes }) => attributes['server.address'] !== undefined)
    .map(({ start, end }) => ({ start, end: Math.min(end, confirm.end) }))
    .filter(({ start, end }) => start >= confirm.start && end > start)
    .toSorted((a, b) => a.start - b.start);
  let until = 0;
  let sum = 0;
  for (const { start, end } of requests) {
    sum += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return sum;
}
