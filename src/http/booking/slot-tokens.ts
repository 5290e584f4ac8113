import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { CaseId, ProviderId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import type { Slot, SlotDetails, SlotRef } from '../../domain/slot.ts';

/** Which slot, and what of it has to be like it in another one that takes its place. */
export interface OfferedRef extends SlotRef, Pick<Slot, 'mode'> {
  readonly details: Pick<SlotDetails, 'town'>;
}

const MAC_BYTES = 16;

/**
 * Slot ids as customers get them: what was offered to this very case, so that nobody books what was never offered.
 *
 * @param secrets the first signs, all are accepted, so that one can replace another without a break
 */
export function createSlotTokens(secrets: readonly [string, ...string[]]) {
  const [first, ...others] = secrets.map((secret) =>
    // as an object: with mere bytes, most of the time for a thousand slots would go into looking at the key
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'slot-token', 32))),
  );
  const mac = (key: KeyObject, caseId: CaseId, payload: string) =>
    createHmac('sha256', key).update(`${caseId}.${payload}`).digest().subarray(0, MAC_BYTES);

  return {
    issue(caseId: CaseId, offered: OfferedRef): string {
      const { providerId, slot, practitionerId, start, end, mode, details } = offered;
      const fields = [
        providerId,
        slot,
        practitionerId,
        Date.parse(start),
        Date.parse(end),
        mode,
        details.town,
      ];
      const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
      return `${payload}.${mac(first as KeyObject, caseId, payload).toString('base64url')}`;
    },

    /** @returns null for a token that was not issued for this case, or was altered */
    read(caseId: CaseId, token: string): OfferedRef | null {
      const [payload = '', signature = '', ...rest] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const isOurs = [first as KeyObject, ...others].some(
        (key) => given.length === MAC_BYTES && timingSafeEqual(given, mac(key, caseId, payload)),
      );
      if (!isOurs || rest.length > 0) return null;
      // Signed by us, so it is what we wrote.
      const [providerId, slot, practitionerId, start, end, mode, town] = JSON.parse(
        Buffer.from(payload, 'base64url').toString(),
      ) as [ProviderId, string, string, number, number, Slot['mode'], string | null];
      const when = { start: instant(start), end: instant(end) };
      return { providerId, slot, practitionerId, ...when, mode, details: { town } };
    },
  };
}
export type SlotTokens = ReturnType<typeof createSlotTokens>;
