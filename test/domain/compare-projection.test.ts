import { describe, expect, it } from '@jest/globals';
import { bookingIdOf } from '../../src/domain/case-state.ts';
import {
  compareProjection,
  type ProjectedCase,
  type WorkflowSnapshot,
} from '../../src/domain/compare-projection.ts';
import * as live from './lives.ts';

const fresh = live.lived();
const booked = live.lived(live.confirm(), live.transferred());
const shown = (revision: number, state = fresh): ProjectedCase => ({
  revision,
  status: state.status,
  bookingDeadline: state.deadline.date,
  bookingId: bookingIdOf(state),
  state,
});
const file = (revision: number, changes: Partial<WorkflowSnapshot> = {}): WorkflowSnapshot => ({
  revision,
  state: fresh,
  isShown: true,
  ...changes,
});

describe('a projection and its workflow', () => {
  it('agree, whatever the order in which a state is written', () => {
    const turned = JSON.parse(JSON.stringify(fresh), (_, value: unknown) =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value,
    ) as typeof fresh;
    expect(Object.keys(turned)).not.toEqual(Object.keys(fresh));
    expect(compareProjection(shown(3, turned), file(3), shown(3, turned))).toBeNull();
  });

  it('agree while a case goes on and is written down between one look and the next', () => {
    expect(compareProjection(shown(3), file(4), shown(4))).toBeNull();
    expect(compareProjection(shown(3), file(3), shown(4, booked))).toBeNull();
    expect(compareProjection(shown(3), file(5), shown(7, booked))).toBeNull();
  });

  it('agree while a write is on its way', () => {
    expect(compareProjection(shown(3), file(4, { isShown: false }), shown(3))).toBeNull();
  });

  it('differ when readers are behind what was written, or ahead of what there is', () => {
    expect(compareProjection(shown(3), file(4), shown(3))).toBe('behind');
    expect(compareProjection(shown(5), file(4), shown(5))).toBe('ahead');
    expect(compareProjection(shown(5), file(4, { isShown: false }), shown(5))).toBe('ahead');
  });

  it.each([
    ['state', { state: booked }],
    ['status', { status: 'booked' }],
    ['last day', { bookingDeadline: '2030-01-01' }],
    ['booking', { bookingId: live.id('first') }],
  ] as [string, Partial<ProjectedCase>][])(
    'differ when the %s is another at the same revision',
    (_, altered) => {
      const wrong = { ...shown(3), ...altered };
      expect(compareProjection(wrong, file(3), wrong)).toBe('altered');
    },
  );
});
