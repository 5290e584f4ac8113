import { isIP } from 'node:net';

/**
 * Whether a server is one that stands in for the real one: on this machine, or a container beside us, whose name has no
 * dot. Everything else may know real addresses. So does a name that begins with a digit, which some resolvers take for
 * an IPv4 address, and an address with a query, which nodemailer reads options from.
 */
export function isStandIn(address: string | undefined): boolean {
  if (address === undefined || !URL.canParse(address)) return false;
  const { hostname, search } = new URL(address);
  if (search !== '') return false;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? /^[a-z][a-z0-9_-]*$/i.test(host) : isLoopback(host);
}

const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.');
