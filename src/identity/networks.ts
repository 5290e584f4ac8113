import { BlockList, isIPv4 } from 'node:net';

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
