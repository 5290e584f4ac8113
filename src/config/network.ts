import { BlockList, isIP } from 'node:net';
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

/** As Express has them: 127.0.0.0/8 and ::1; 169.254.0.0/16 and fe80::/10; the private networks and fc00::/7. */
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];
/** More would be a guess, and each hop too many lets callers write their own address. */
const MAX_HOPS = 10;
/** 10.0.0.0/8 is the widest network that is anybody's own. */
const MIN_PREFIX_LENGTH = 8;

// IPv4 written as IPv6 among them: a network around that would be all of IPv4
const reserved = new BlockList();
reserved.addSubnet('::', 8, 'ipv6');

/**
 * Whose word on a client's address counts: so many proxies in front, or theirs by address, network or name. What this
 * lets through, Express takes; never everybody, since then everybody chooses the address by which they are counted.
 */
export const trustProxy = z
  .string()
  .default('0')
  // left empty is left out
  .transform((text) => text.trim() || '0')
  .refine(
    (text) => (isNumber(text) ? Number(text) <= MAX_HOPS : listOf(text).every(isProxy)),
    `must be the number of proxies in front (0 to ${MAX_HOPS}), or their addresses and networks, separated by commas ` +
      `(no network wider than /${MIN_PREFIX_LENGTH}; also: ${NAMED_RANGES.join(', ')})`,
  )
  .transform((text) => (isNumber(text) ? Number(text) : listOf(text)));

const isNumber = (text: string): boolean => /^\d+$/.test(text);
const listOf = (text: string): string[] => text.split(',').map((part) => part.trim());

function isProxy(part: string): boolean {
  if (NAMED_RANGES.includes(part)) return true;
  const [address = '', prefix, ...rest] = part.split('/');
  // a zone, as in fe80::1%eth0, is a name of this machine's only
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  if (!isNumber(prefix) || Number(prefix) < MIN_PREFIX_LENGTH) return false;
  return family === 4 ? Number(prefix) <= 32 : Number(prefix) <= 128 && !reserved.check(address, 'ipv6');
}
