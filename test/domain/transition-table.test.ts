import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CaseState } from '../../src/domain/case-state.ts';
import type { CaseInput, Command } from '../../src/domain/command.ts';
import { instant } from '../../src/domain/instant.ts';
import { mayDo } from '../../src/domain/permit.ts';
import { type Situation, situationOf } from '../../src/domain/transitions.ts';
import * as live from './lives.ts';

/** docs/contract.md §2, copied as it stands there; the source has its own copy. The last column is split for `booked`. */
const TABLE = `
| In status | confirm | cancel | requestAssistance | resolveAssistance | recall | expire | moveDeadline | archive | changeContact | correctName | resendLink |
| pending_patient_action | booked | – | assistance_requested | – | recalled | deadline_expired | stays | – | stays | stays | stays |
| assistance_requested | booked | – | stays | pending_patient_action | recalled | deadline_expired | stays | – | stays | stays | stays |
| booked | booked | pending_patient_action | stays | – | recalled | – | – | – | stays | – | – |
| deadline_expired | – | – | stays | – | recalled | – | pending_patient_action | archived | – | – | – |
| error_undeliverable | booked | – | stays | – | recalled | deadline_expired | stays | archived | pending_patient_action | stays | pending_patient_action |
| error | – | – | stays | – | recalled | – | – | archived | – | – | – |
| recalled | – | – | – | – | done | – | – | archived | – | – | – |
| archived | – | – | – | – | – | – | – | done | – | – | – |
`;

const { DEADLINE, START, END, hoursAfter, lived } = live;
const IN_A_MONTH = live.graceAt(instant('2027-04-07T12:00:00Z'));

/** Lives that lead to each row. None has asked for help or cancelled before: those have tests of their own. */
const LIVES: Record<Situation, readonly CaseState[]> = {
  pending_patient_action: [
    live.opened(),
    lived(live.moveDeadline(IN_A_MONTH)),
    lived(live.confirm(), live.transferRefused('first', true)),
    lived(live.confirm(), live.transferRefused(), live.retry(END), live.transferRefused('again', true)),
  ],
  assistance_requested: [lived(live.ask), lived(live.ask, live.ask), lived(live.ask, live.undeliverable)],
  booked: [
    lived(live.confirm()),
    lived(live.confirm(), live.transferred()),
    lived(live.confirm(), live.transferred(), live.confirm('second', live.slotAt(hoursAfter(START, 48)))),
    lived(live.undeliverable, live.confirm()),
    lived(live.confirm(), live.transferRefused(), live.retry(live.OPENED)),
    lived(live.confirm(), live.failed(), live.retry(live.OPENED)),
  ],
  deadline_expired: [
    lived(DEADLINE.passesAt, live.expire),
    lived(live.undeliverable, DEADLINE.passesAt, live.expire),
  ],
  error_undeliverable: [lived(live.undeliverable)],
  error: [lived(live.confirm(), live.failed()), lived(live.confirm(), live.transferRefused())],
  recalled: [
    lived(live.recall),
    lived(live.confirm(), live.transferred(), live.recall),
    lived(live.confirm(), live.failed(), live.recall),
    lived(DEADLINE.passesAt, live.expire, live.recall),
  ],
  archived: [
    lived(live.recall, live.archive),
    lived(live.undeliverable, live.archive),
    lived(live.confirm(), live.transferred(), END, live.archive),
    lived(live.confirm(), live.failed(), live.archive),
  ],
};

const hasAddress = { email: true, sms: true };
const COMMANDS: Record<Exclude<Command['type'], 'retry'>, fc.Arbitrary<CaseInput>> = {
  confirm: fc
    .integer({ min: 1, max: 300 })
    .map((hours) => live.confirm('fresh', live.slotAt(hoursAfter(END, hours), 'a fresh slot'))),
  cancel: fc.constant(live.cancel),
  requestAssistance: fc.constant(live.ask),
  resolveAssistance: fc.constant(live.resolve),
  recall: fc.constantFrom<CaseInput>(live.recall, { type: 'recall', textId: 'a reason' }),
  expire: fc.constant(live.expire),
  moveDeadline: fc.constant(live.moveDeadline(live.graceAt(instant('2027-04-17T12:00:00Z')))),
  archive: fc.constant(live.archive),
  changeContact: fc
    .subarray(['email', 'sms'] as const, { minLength: 1 })
    .map((corrected) => ({ type: 'changeContact', hasAddress, corrected, correctionId: null })),
  correctName: fc.constant(live.correctName),
  resendLink: fc
    .constantFrom('email' as const, 'sms' as const, null)
    .map((channel) => ({ type: 'resendLink', channel })),
};

const [header = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe.each(rows.map(([status = '', ...cells]) => ({ status: status as Situation, cells })))(
  'in $status',
  ({ status, cells }) => {
    const cellsByAction = header
      .slice(1)
      .map((action, i) => ({ action: action as keyof typeof COMMANDS, leads: cells[i] ?? '' }));
    const given = (action: keyof typeof COMMANDS) => {
      const isLate = action === 'expire' || status === 'deadline_expired';
      const from = isLate ? DEADLINE.passesAt : hoursAfter(live.OPENED, 12);
      const at = fc.integer({ min: 0, max: 70 }).map((hours) => hoursAfter(from, hours));
      return fc.tuple(fc.constantFrom(...LIVES[status]), COMMANDS[action], at);
    };

    it('is where the lives of this test have led', () => {
      expect(LIVES[status].map(situationOf)).toEqual(LIVES[status].map(() => status));
    });

    const allowed = cellsByAction.filter(({ leads }) => !['–', 'done'].includes(leads));
    if (allowed.length > 0) {
      it.each(allowed)('$action leads to: $leads', ({ action, leads }) => {
        fc.assert(
          fc.property(given(action), ([state, command, at]) => {
            // One life has moved its deadline on, so nothing passes yet.
            fc.pre(action !== 'expire' || at >= state.deadline.passesAt);
            const decision = live.when(state, command, at);
            expect(decision.outcome).toBe('changed');
            if (decision.outcome !== 'changed') return;
            expect(decision.state.status).toBe(leads === 'stays' ? state.status : leads);
            expect(decision.events.length).toBeGreaterThan(0);
            expect(action === 'expire' || mayDo(state, action, at)).toBe(true);
          }),
        );
      });
    }

    const refused = cellsByAction.filter(({ leads, action }) => leads === '–' && action !== 'expire');
    if (refused.length > 0) {
      it.each(refused)('$action is refused, and says what is allowed', ({ action }) => {
        fc.assert(
          fc.property(given(action), ([state, command, at]) => {
            const decision = live.when(state, command, at);
            expect(decision).toMatchObject({
              outcome: 'refused',
              refusal: { code: 'ACTION_NOT_ALLOWED', status: state.status, action },
            });
            expect(mayDo(state, action, at)).toBe(false);
            if (decision.outcome !== 'refused' || !('allowed' in decision.refusal)) return;
            const others = decision.refusal.allowed.filter((other) => other !== 'retry');
            const open = allowed.map((cell) => cell.action).filter((other) => other !== 'expire');
            expect([...others].sort()).toEqual(open.sort());
          }),
        );
      });
    }

    const unchanged = cellsByAction.filter(
      ({ leads, action }) => leads === 'done' || (leads === '–' && action === 'expire'),
    );
    if (unchanged.length > 0) {
      it.each(unchanged)('$action changes nothing and is no fault', ({ action }) => {
        fc.assert(
          fc.property(given(action), ([state, command, at]) => {
            expect(live.when(state, command, at)).toEqual({ outcome: 'unchanged' });
          }),
        );
      });
    }

    it(`${status.startsWith('error') ? 'may' : 'may not'} be retried by the operator`, () => {
      for (const state of LIVES[status]) {
        const { outcome } = live.when(
          state,
          live.retry(live.OPENED),
          hoursAfter(live.OPENED, 12),
          'operator',
        );
        expect(outcome).toBe(status.startsWith('error') ? 'changed' : 'refused');
      }
    });
  },
);
