import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createCaller } from '../support/caller.ts';
import { serviceSettings } from '../support/service-settings.ts';
import { useService } from '../support/use-service.ts';

/** Documentation addresses: no caller is really there. We call from 127.0.0.1. */
const CLIENT = '203.0.113.5';
const OTHER = '203.0.113.6';
const OUR_PROXY = '10.1.2.3';
const INVENTED = '198.51.100.1';

describe('a client behind proxies', () => {
  const service = useService('api');
  const trusting = async (trustProxy: string) => {
    const { databaseUrl } = service;
    const { TRUST_PROXY } = serviceSettings({
      port: 1,
      databaseUrl,
      temporalAddress: 'unused',
      trustProxy,
    }).api;
    // with a secret of its own it counts for itself
    const SESSION_SECRETS: [string] = [randomBytes(32).toString('hex')];
    const nobody = createCaller(
      `${await service.again({ settings: () => ({ TRUST_PROXY, SESSION_SECRETS }) })}/api/v1`,
    );
    /** Calls, and tells how often whoever that is has called. */
    return async (...forwardedFor: string[]): Promise<number> => {
      const { status, headers } = await nobody.get('/nothing', {
        'X-Forwarded-For': forwardedFor.join(', '),
      });
      expect(status).toBe(404);
      return 100 - Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]);
    };
  };

  describe('by their number', () => {
    it('is whom the last one names; what the client wrote itself counts for nothing', async () => {
      const call = await trusting('1');
      expect(await call(CLIENT)).toBe(1);
      expect(await call(INVENTED, CLIENT)).toBe(2);
      expect(await call(OTHER, INVENTED, CLIENT)).toBe(3);
      expect(await call('nonsense', CLIENT)).toBe(4);
      expect(await call(CLIENT, OTHER)).toBe(1);
    });

    it('is whom the first of two names', async () => {
      const call = await trusting('2');
      expect(await call(CLIENT, OUR_PROXY)).toBe(1);
      expect(await call(INVENTED, CLIENT, OUR_PROXY)).toBe(2);
      expect(await call(CLIENT, OTHER, OUR_PROXY)).toBe(1);
    });

    it('is whoever connects, where there are none', async () => {
      const call = await trusting('0');
      expect(await call(CLIENT)).toBe(1);
      expect(await call(OTHER)).toBe(2);
      expect(await call(INVENTED, CLIENT)).toBe(3);
    });
  });

  describe('by their networks', () => {
    it('is the last that is none of them, however many there are', async () => {
      const call = await trusting('loopback, 10.0.0.0/8, 2001:db8:1::/48');
      expect(await call(CLIENT)).toBe(1);
      expect(await call(CLIENT, OUR_PROXY)).toBe(2);
      expect(await call(CLIENT, '2001:db8:1::7', OUR_PROXY)).toBe(3);
      expect(await call(INVENTED, CLIENT, OUR_PROXY)).toBe(4);
      // an address of ours that the client wrote itself
      expect(await call(INVENTED, OUR_PROXY, CLIENT)).toBe(5);
      expect(await call(CLIENT, OTHER, OUR_PROXY)).toBe(1);
    });

    it('is whoever connects, where that is none of them', async () => {
      const call = await trusting('10.0.0.0/8, 192.0.2.7');
      expect(await call(CLIENT)).toBe(1);
      expect(await call(OTHER)).toBe(2);
      expect(await call(OTHER, OUR_PROXY)).toBe(3);
    });
  });
});
