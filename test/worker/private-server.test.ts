import { describe, expect, it } from '@jest/globals';
import { serveHealth } from '../../src/main/private-server.ts';

describe("the worker's health", () => {
  it('is told at the address that the settings name, and at no other of the machine', async () => {
    const health = await serveHealth({ host: '127.0.0.1', port: 0 }, () => Promise.resolve(true));
    try {
      const at = (host: string) => fetch(`http://${host}:${health.port}/health/ready`);
      const there = await at('127.0.0.1');
      expect([there.status, await there.json()]).toEqual([200, { status: 'ok' }]);
      expect(there.headers.get('X-Content-Type-Options')).toBe('nosniff');
      await expect(at('127.0.0.2')).rejects.toThrow();
    } finally {
      health.stop();
    }
  });
});
