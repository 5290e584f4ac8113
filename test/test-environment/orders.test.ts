import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, ProviderId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { createAccessLog } from '../../src/postgres/access-log.ts';
import { createMessageRepository } from '../../src/postgres/messages.ts';
import {
  createTestMessages,
  createTestRefusals,
  deleteOldTestMessages,
  listTestMessages,
  orderRefusal,
  withdrawRefusal,
} from '../../src/postgres/test-environment.ts';
import { useCases } from '../postgres/support/cases.ts';

const slotAt = (hour: number) => ({
  providerId: 'nordlys' as ProviderId,
  slot: `slot-${hour}`,
  practitionerId: 'elgtrakk',
  start: instant(Date.UTC(2030, 0, 7, hour)),
  end: instant(Date.UTC(2030, 0, 7, hour + 1)),
});
const freshBooking = () => randomUUID() as BookingId;

describe('in a test environment', () => {
  const cases = useCases();

  describe('a refusal that was ordered', () => {
    it('is for one booking of that slot, however often the step is repeated, and for no other', async () => {
      const refusals = createTestRefusals(cases.database);
      const [caseId, otherCase] = [await cases.create(), await cases.create()];
      await orderRefusal(cases.database, caseId, slotAt(9));
      const bookingId = freshBooking();
      const booking = { caseId, bookingId, slot: slotAt(9) };
      expect(await refusals.refuses({ ...booking, caseId: otherCase })).toBe(false);
      expect(await refusals.refuses({ ...booking, slot: slotAt(10) })).toBe(false);
      expect([await refusals.refuses(booking), await refusals.refuses(booking)]).toEqual([true, true]);
      expect(await refusals.refuses({ ...booking, bookingId: freshBooking() })).toBe(false);
    });

    it('is over when it is withdrawn before anything was booked', async () => {
      const refusals = createTestRefusals(cases.database);
      const caseId = await cases.create();
      await orderRefusal(cases.database, caseId, slotAt(9));
      await withdrawRefusal(cases.database, caseId);
      expect(await refusals.refuses({ caseId, bookingId: freshBooking(), slot: slotAt(9) })).toBe(false);
    });
  });

  describe('a message', () => {
    const kept = async () => {
      const caseId = await cases.create();
      const dedupId = `${caseId}:invitation:sms:1`;
      const messages = createMessageRepository(
        cases.database,
        createAccessLog(cases.database, 'worker', () => undefined),
      );
      const message = {
        caseId,
        kind: 'invitation',
        channel: 'sms',
        sequence: 1,
        bookingId: null,
        contactVersion: 1,
      } as const;
      await messages.enter({ ...message, channels: ['sms'], until: null, orderedAt: instant(Date.now()) });
      await createTestMessages(cases.database).keep({
        dedupId,
        to: '+4790000000',
        subject: null,
        text: 'Hei',
      });
      const shown = () => listTestMessages(cases.database, { caseId, after: 0, limit: 10 });
      return { messages, message, dedupId, shown };
    };

    it('is shown once it has left', async () => {
      const { messages, message, dedupId, shown } = await kept();
      expect(await shown()).toEqual([]);
      await messages.sent(message, dedupId, { reference: 'SM1', contactVersion: 1 });
      expect(await shown()).toMatchObject([{ body: 'Hei', channel: 'sms', kind: 'invitation' }]);
    });

    it('that is dropped before it leaves is dropped here, too', async () => {
      const { messages, dedupId } = await kept();
      await messages.drop(dedupId);
      const count = sql.type(z.object({ count: z.number() }))`
        SELECT count(*) FROM test_messages WHERE dedup_id = ${dedupId}`;
      expect(await cases.database.oneFirst(count)).toBe(0);
    });

    it('is shown for seven days, and deleted after that', async () => {
      const old = await kept();
      await old.messages.sent(old.message, old.dedupId, { reference: 'SM1', contactVersion: 1 });
      await cases.database.query(sql.type(z.object({}))`
        UPDATE test_messages SET at = now() - interval '7 days 1 minute' WHERE dedup_id = ${old.dedupId}`);
      expect(await old.shown()).toEqual([]);
      await deleteOldTestMessages(cases.database);
      const count = sql.type(z.object({ count: z.number() }))`
        SELECT count(*) FROM test_messages WHERE dedup_id = ${old.dedupId}`;
      expect(await cases.database.oneFirst(count)).toBe(0);
    });
  });
});
