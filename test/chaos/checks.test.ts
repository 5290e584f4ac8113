import { describe, expect, it } from '@jest/globals';
import type { Account } from './actors/account.ts';
import { check } from './checks.ts';
import { attempt, BOOKED, HOUR, keptWorld, RECALLED, START, WAITING } from './kept-world.ts';
import type { Outside, SeenWorkflow } from './outside.ts';

/** Which promises the world breaks once it is changed like this, and in which cases. */
const broken = (change: (world: Outside) => Partial<Outside>): string[] => {
  const world = keptWorld();
  const violations = check({ ...world, ...change(world) });
  return [...new Set(violations.map(({ promise, caseId }) => `${promise} ${caseId ?? 'all'}`))];
};

/** With one of these changed: the first that is meant. */
const withOne = <T>(these: readonly T[], isMeant: (one: T) => boolean, change: Partial<T>): T[] => {
  const place = these.findIndex(isMeant);
  if (place < 0) throw new Error('no such thing in the kept world');
  return these.map((one, i) => (i === place ? { ...one, ...change } : one));
};
const without = <T>(these: readonly T[], isMeant: (one: T) => boolean): T[] => {
  const place = these.findIndex(isMeant);
  if (place < 0) throw new Error('no such thing in the kept world');
  return these.toSpliced(place, 1);
};
const accountOf = ({ accounts }: Outside, id: string, change: Partial<Account>) => ({
  accounts: withOne(accounts, ({ created }) => created[0] === id, change),
});
const workflowOf = ({ workflows }: Outside, id: string, change: Partial<SeenWorkflow>) => ({
  workflows: withOne(workflows, ({ workflowId }) => workflowId === `case-${id}`, change),
});
const create = attempt('create', 0);

it('finds nothing to complain of where every promise was kept', () => {
  expect(broken(() => ({}))).toEqual([]);
});

it('forgives a restored database what it has lost, and nothing else', () => {
  const world = keptWorld();
  const [of] = [
    (id: string) => world.events.find(({ caseId, type }) => caseId === id && type === 'case.created'),
  ];
  const told = [BOOKED, RECALLED].map((id, i) => ({
    ...(of(id) as (typeof world.events)[number]),
    ...{ type: 'case.restored', number: 1_001 + i, status: id === BOOKED ? 'booked' : 'recalled' },
  }));
  const restored = {
    events: [...world.events.slice(0, 3), ...told],
    feeds: [{ partnerId: 'fjordtrygd', lastEvent: 1_002 }],
  };
  const [first] = world.accounts[0]?.attempts.slice(1) ?? [];
  const lost = { from: (first?.sentAt ?? 0) - 500, until: Number.MAX_SAFE_INTEGER, numbersAbove: 1_000 };
  expect(broken(() => ({ ...restored, lost }))).toEqual([]);
  expect(broken(() => restored).toSorted()).toEqual([`P3 ${BOOKED}`, `P3 ${RECALLED}`, 'P3 all']);
  // one that nobody was told of anew
  expect(broken(() => ({ ...restored, lost, events: restored.events.slice(0, 4) }))).toContain(
    `P3 ${RECALLED}`,
  );
});

describe('P1 is broken by', () => {
  it.each<[string, string, (world: Outside) => Partial<Outside>]>([
    ['a case without a workflow', BOOKED, ({ workflows }) => ({ workflows: workflows.slice(1) })],
    ['a case with two workflows', BOOKED, (world) => workflowOf(world, BOOKED, { lives: 2 })],
    [
      'two cases for one create that was repeated',
      WAITING,
      (world) => accountOf(world, WAITING, { created: [WAITING, 'another'] }),
    ],
    [
      'a valid create that was refused',
      WAITING,
      (world) =>
        accountOf(world, WAITING, {
          attempts: [attempt('create', 0, { outcome: 'refused', code: 'VALIDATION_FAILED' }), create],
        }),
    ],
    ['a case that does not come to rest', WAITING, () => ({ restless: [{ caseId: WAITING, why: 'busy' }] })],
  ])('%s', (_, id, change) => {
    expect(broken(change)).toContain(`P1 ${id}`);
  });

  it('a case that a trouble stopped for good', () => {
    const stopped = (world: Outside) => ({
      rows: withOne(world.rows, ({ id }) => id === WAITING, { status: 'error' }),
    });
    expect(broken(stopped)).toContain(`P1 ${WAITING}`);
  });
});

describe('P2 is broken by', () => {
  it.each<[string, string, (world: Outside) => Partial<Outside>]>([
    ['an appointment that was lost', BOOKED, ({ appointments }) => ({ appointments: appointments.slice(1) })],
    [
      'a second one of the same case',
      BOOKED,
      ({ appointments: [one, ...others] }) => ({
        appointments: one ? [one, { ...one, id: 'second', practitioner: 'somebody else' }, ...others] : [],
      }),
    ],
    [
      'one that stands after the recall',
      RECALLED,
      ({ appointments }) => ({
        appointments: withOne(appointments, ({ caseId }) => caseId === RECALLED, {
          isLive: true,
          practitioner: 'somebody else',
        }),
      }),
    ],
    [
      'one at another time than was confirmed',
      BOOKED,
      ({ appointments }) => ({
        appointments: withOne(appointments, ({ caseId }) => caseId === BOOKED, {
          start: Date.parse(START) + 3_600_000,
          end: Date.parse(START) + 7_200_000,
        }),
      }),
    ],
    [
      'two customers in one hour of a practitioner',
      BOOKED,
      ({ appointments }) => ({
        appointments: [
          ...appointments,
          ...appointments
            .slice(0, 1)
            .map((one) => ({ ...one, id: 'other', caseId: WAITING, slots: ['slot-2'] })),
        ],
      }),
    ],
    [
      'a slot that is blocked for nobody',
      'all',
      ({ slots }) => ({
        slots: withOne(slots, ({ id }) => id === 'slot-2', { isFree: false, mark: 'booking-9' }),
      }),
    ],
    [
      'a slot that is free in spite of an appointment',
      BOOKED,
      ({ slots }) => ({ slots: withOne(slots, ({ id }) => id === 'slot-1', { isFree: true, mark: null }) }),
    ],
    ['an hour that our books do not keep', BOOKED, () => ({ claims: [] })],
    [
      'an hour that our books keep for a case which is over',
      RECALLED,
      ({ claims }) => ({
        claims: [...claims, { bookingId: 'booking-2', caseId: RECALLED, isForGood: true }],
      }),
    ],
    [
      'a cancellation that was granted, and an appointment that stands',
      BOOKED,
      (world) =>
        accountOf(world, BOOKED, { attempts: [create, attempt('confirm', 1_000), attempt('cancel', 3_000)] }),
    ],
  ])('%s', (_, id, change) => {
    expect(broken(change)).toContain(`P2 ${id}`);
  });

  it.each<[number, string[]]>([
    [60_000, []],
    [30 * 60_000, ['P2 all']],
  ])('a slot that has been held for nobody for %d ms, once the sweep is over', (heldFor, violations) => {
    const held = ({ slots }: Outside) => ({
      slots: withOne(slots, ({ id }) => id === 'slot-2', { isFree: false, heldFor, mark: 'booking-9' }),
    });
    expect(broken(held)).toEqual(violations);
  });

  it('nothing that somebody may still be told of, while an answer was lost', () => {
    const unheard = (world: Outside) =>
      accountOf(world, BOOKED, {
        attempts: [create, attempt('confirm', 1_000), attempt('cancel', 1_050, { outcome: 'unknown' })],
      });
    expect(broken(unheard)).toEqual([]);
  });
});

describe('P3 is broken by', () => {
  it.each<[string, string, (world: Outside) => Partial<Outside>]>([
    [
      'a confirm after the recall',
      RECALLED,
      ({ events }) => ({
        events: events.map((event) =>
          event.caseId === RECALLED && event.type === 'booking.confirmed'
            ? { ...event, type: 'case.recalled' }
            : event.caseId === RECALLED && event.type === 'case.recalled'
              ? { ...event, type: 'booking.confirmed' }
              : event,
        ),
      }),
    ],
    [
      'a status that no event leads to',
      BOOKED,
      ({ rows }) => ({ rows: withOne(rows, ({ id }) => id === BOOKED, { status: 'recalled' }) }),
    ],
    [
      'an event that partners do not get to see',
      'all',
      ({ events }) => ({ events: without(events, ({ type }) => type === 'booking.transferred') }),
    ],
    [
      'a caller who is told that nothing happened, when it did',
      RECALLED,
      (world) =>
        accountOf(world, RECALLED, {
          attempts: [
            create,
            attempt('confirm', 1_000),
            attempt('recall', 4_000, { outcome: 'nothing', code: 'TEMPORARILY_UNAVAILABLE' }),
            attempt('recall', 6_000),
          ],
        }),
    ],
    [
      'a caller who was refused, and had it done',
      BOOKED,
      (world) =>
        accountOf(world, BOOKED, { attempts: [create, attempt('confirm', 1_000, { outcome: 'refused' })] }),
    ],
    [
      'a command that was granted and did not happen',
      WAITING,
      (world) => accountOf(world, WAITING, { attempts: [create, attempt('confirm', 5_000)] }),
    ],
    [
      'another time than the one that was granted',
      BOOKED,
      (world) =>
        accountOf(world, BOOKED, {
          attempts: [create, attempt('confirm', 1_000, { hour: HOUR.replace('08:00', '09:00') })],
        }),
    ],
  ])('%s', (_, id, change) => {
    expect(broken(change)).toContain(`P3 ${id}`);
  });
});

describe('P4 is broken by', () => {
  const mailTo = (number: number) => (mail: { to: string }) => mail.to.startsWith(`kanari.${number}@`);

  it.each<[string, string, (world: Outside) => Partial<Outside>]>([
    ['a mail that never arrived', BOOKED, ({ mails }) => ({ mails: without(mails, mailTo(1)) })],
    [
      'a text that never arrived',
      BOOKED,
      ({ texts }) => ({ texts: without(texts, ({ to }) => to.endsWith('01')) }),
    ],
    [
      'a mail twice that was tried once',
      BOOKED,
      ({ mails }) => ({ mails: [...mails, ...mails.filter(mailTo(1)).slice(0, 1)] }),
    ],
    [
      'a text twice that was tried once',
      BOOKED,
      ({ texts }) => ({ texts: [...texts, ...texts.filter(({ to }) => to.endsWith('01')).slice(0, 1)] }),
    ],
    [
      'a text that nobody ordered',
      BOOKED,
      ({ texts }) => ({
        texts: [
          ...texts,
          ...texts
            .filter(({ to }) => to.endsWith('01'))
            .slice(0, 1)
            .map((text) => ({ ...text, body: 'other words' })),
        ],
      }),
    ],
    [
      'a repetition with an id of its own',
      BOOKED,
      ({ mails }) => ({
        mails: [
          ...mails,
          ...mails
            .filter(mailTo(1))
            .slice(0, 1)
            .map((mail) => ({ ...mail, messageId: '<new@x>' })),
        ],
      }),
    ],
    [
      'a message ordered twice',
      BOOKED,
      (world) => {
        const [first] = world.workflows[0]?.messages ?? [];
        const doubled = [...(world.workflows[0]?.messages ?? []), ...(first ? [first] : [])];
        return workflowOf(world, BOOKED, { messages: doubled });
      },
    ],
    [
      'a message that was given up',
      WAITING,
      (world) =>
        workflowOf(world, WAITING, {
          messages: (world.workflows[2]?.messages ?? []).map((one) => ({ ...one, outcome: 'failed' })),
        }),
    ],
    [
      'an appointment that nobody was told of',
      BOOKED,
      (world) =>
        workflowOf(world, BOOKED, {
          messages: (world.workflows[0]?.messages ?? []).filter(({ kind }) => kind !== 'receipt'),
        }),
    ],
    [
      'a message to somebody else',
      'all',
      ({ mails }) => ({ mails: [...mails, { to: 'x@example.org', messageId: '' }] }),
    ],
  ])('%s', (_, id, change) => {
    expect(broken(change)).toContain(`P4 ${id}`);
  });

  it('no copy of a message that was tried twice', () => {
    const repeated = (world: Outside) => ({
      ...workflowOf(world, BOOKED, {
        messages: (world.workflows[0]?.messages ?? []).map((one) => ({ ...one, attempts: 2 })),
      }),
      mails: [...world.mails, ...world.mails.filter(mailTo(1))],
    });
    expect(broken(repeated)).toEqual([]);
  });
});

describe('P5 is broken by', () => {
  it.each<[string, string, (world: Outside) => Partial<Outside>]>([
    [
      'a row that differs from its workflow',
      WAITING,
      ({ rows }) => ({
        rows: rows.map((row) =>
          row.id === WAITING ? { ...row, state: { ...row.state, messagesOrdered: 7 } } : row,
        ),
      }),
    ],
    [
      'a column that differs from the state beside it',
      WAITING,
      ({ rows }) => ({ rows: withOne(rows, ({ id }) => id === WAITING, { bookingDeadline: '2027-01-01' }) }),
    ],
    ['a workflow that does not answer', WAITING, (world) => workflowOf(world, WAITING, { state: null })],
    [
      'a partner who reads something else',
      BOOKED,
      ({ shown }) => ({ shown: withOne(shown, ({ caseId }) => caseId === BOOKED, { bookingId: null }) }),
    ],
    [
      'a recall whose answer shows the status before it',
      RECALLED,
      (world) =>
        accountOf(world, RECALLED, {
          attempts: [create, attempt('confirm', 1_000), attempt('recall', 4_000, { status: 'booked' })],
        }),
    ],
  ])('%s', (_, id, change) => {
    expect(broken(change)).toContain(`P5 ${id}`);
  });
});

describe('P6 is broken by', () => {
  it.each(['Kanarisen', 'Fuglunn', '+4790000001', 'kanari.1@example.com', '1961-07-19', 'Kanariskade 1'])(
    '%s in a history, a log or an error',
    (leak) => {
      const inHistory = [{ where: `the history of case-${BOOKED}`, text: `{"note":"${leak}"}` }];
      expect(broken(() => ({ writings: inHistory }))).toEqual([`P6 ${BOOKED}`]);
      expect(broken(() => ({ writings: [{ where: 'the log of the API', text: leak }] }))).toEqual(['P6 all']);
      const error = { call: 'POST /cases', status: 400, code: 'VALIDATION_FAILED', body: leak };
      expect(broken(() => ({ answers: [error] }))).toEqual(['P6 all']);
    },
  );
});

describe('P7 and P8 are broken by', () => {
  it('a history that does not replay', () => {
    expect(broken((world) => workflowOf(world, BOOKED, { fault: 'nondeterminism' }))).toEqual([
      `P7 ${BOOKED}`,
    ]);
  });

  it.each([
    [500, 'INTERNAL_ERROR'],
    [502, null],
    [409, 'CONFLICT'],
  ])('an answer %s %s', (status, code) => {
    expect(broken(() => ({ answers: [{ call: 'GET /cases', status, code, body: '' }] }))).toEqual(['P8 all']);
  });
});
