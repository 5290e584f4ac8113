import type { TestService } from './service.ts';

/** What the clinics of a service do wrong, until it is cleared. */
export const clinicFaults = (service: () => TestService) => ({
  async add(fault: Readonly<Record<string, unknown>>, which: 'one' | 'all' = 'all'): Promise<void> {
    const clinics = service().clinics.slice(0, which === 'one' ? 1 : undefined);
    const body = JSON.stringify(fault);
    const headers = { 'content-type': 'application/json' };
    for (const { url } of clinics) {
      const answer = await fetch(`${url}/_faults`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`no such fault: ${await answer.text()}`);
    }
  },

  async clear(): Promise<void> {
    for (const { url } of service().clinics) await fetch(`${url}/_faults`, { method: 'DELETE' });
  },
});
