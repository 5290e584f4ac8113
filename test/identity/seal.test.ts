import { describe, expect, it } from '@jest/globals';
import { createSeal } from '../../src/identity/cookies.ts';

const at = (time: string) => () => new Date(time);
const NOW = at('2026-03-03T10:00:00Z');
const options = {
  secrets: ['a secret of some length'] as const,
  purpose: 'session',
  maxAgeSeconds: 60,
  now: NOW,
};

describe('a seal', () => {
  it('gives back what was sealed', async () => {
    const { seal, unseal } = bound(options);
    expect(await unseal(await seal({ name: 'Åse', list: [1, null] }))).toEqual({
      name: 'Åse',
      list: [1, null],
    });
  });

  it('hides what was sealed', async () => {
    const sealed = await bound(options).seal({ name: 'Nordmann' });
    const readable = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(readable.join()).not.toContain('Nordmann');
  });

  it('opens for its own purpose only', async () => {
    const sealed = await bound(options).seal('value');
    expect(await bound({ ...options, purpose: 'login' }).unseal(sealed)).toBeNull();
  });

  it('opens until it expires', async () => {
    const sealed = await bound(options).seal('value');
    expect(await bound({ ...options, now: at('2026-03-03T10:00:59Z') }).unseal(sealed)).toBe('value');
    expect(await bound({ ...options, now: at('2026-03-03T10:01:00Z') }).unseal(sealed)).toBeNull();
  });

  it('does not open when a single character was altered, wherever it stands', async () => {
    const { seal, unseal } = bound(options);
    const sealed = await seal({ personId: 'k' });
    for (let i = 0; i < sealed.length; i += 1) {
      // the last character before a dot may hold unused bits, so it is changed by more than those
      const other = sealed[i] === 'A' ? 'z' : 'A';
      if (sealed[i] !== '.')
        expect(await unseal(sealed.slice(0, i) + other + sealed.slice(i + 1))).toBeNull();
    }
  });

  it.each(['', 'x', 'a.b.c.d.e', '....', 'eyJhbGciOiJub25lIn0.e30.'])('does not open %j', async (sealed) => {
    expect(await bound(options).unseal(sealed)).toBeNull();
  });

  it('opens with an older secret, and seals with the newest', async () => {
    const old = bound(options);
    const both = bound({ ...options, secrets: ['the newer secret', ...options.secrets] });
    expect(await both.unseal(await old.seal('value'))).toBe('value');
    expect(await old.unseal(await both.seal('value'))).toBeNull();
  });
});

function bound(given: Parameters<typeof createSeal>[0]) {
  const sealed = createSeal<unknown>(given);
  return { seal: (value: unknown) => sealed.seal(value), unseal: (text: string) => sealed.unseal(text) };
}
