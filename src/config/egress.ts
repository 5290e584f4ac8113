import { z } from 'zod';

/** `fhir.nordlys.example`, `*.nordlys.example`, `10.0.0.5`, `[fd00::5]`. */
const HOST = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$|^\[[0-9a-f:.]+\]$/;

/**
 * The hosts that registrations of clinics may lead to, for deployments in which whoever registers a clinic must not reach
 * every host that our network does. All others that we talk to have an address of their own among the settings.
 */
export const egressHosts = z
  .string()
  .default('')
  .transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((host) => host !== ''),
  )
  .refine(
    (hosts) => hosts.every((host) => HOST.test(host)),
    'must be hosts such as fhir.nordlys.example or *.nordlys.example',
  );

/** Whether a host, as `URL.hostname` has it, is one of them; every host is where there are none. */
export const reachOf =
  (hosts: readonly string[]) =>
  (hostname: string): boolean =>
    hosts.length === 0 ||
    hosts.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host));
