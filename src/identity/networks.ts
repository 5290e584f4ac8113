import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * Whether an address is in one of these networks.
 *
 * @param networks in CIDR
 * @param address IPv4, IPv6, or IPv4 written as IPv6; anything else is in no network
 */
export function isWithin(networks: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', length] = network.split('/');
    list.addSubnet(start, Number(length), familyOf(start));
  }
  return list.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** An address as others take it: IPv4 written as IPv6 is IPv4, and a zone is left out. @returns null for what is none */
export function plainAddress(address: string): string | null {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(plain) === 0 ? null : plain;
}
