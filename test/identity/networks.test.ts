import { expect, it } from '@jest/globals';
import { isWithin, plainAddress } from '../../src/identity/networks.ts';

it.each([
  ['192.0.2.0/24', '192.0.2.255', true],
  ['192.0.2.0/24', '192.0.3.0', false],
  ['192.0.2.9/24', '192.0.2.1', true],
  ['192.0.2.7/32', '192.0.2.7', true],
  ['192.0.2.7/32', '192.0.2.8', false],
  ['192.0.2.0/24', '::ffff:192.0.2.8', true],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['192.0.2.0/24', 'unknown', false],
  ['192.0.2.0/24', '', false],
])('%s has %s: %s', (network, address, has) => {
  expect(isWithin([network], address)).toBe(has);
  expect(isWithin(['198.51.100.0/24', network], address)).toBe(has);
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['unknown', null],
  ['', null],
])('the address %s is %s', (address, plain) => {
  expect(plainAddress(address)).toBe(plain);
});
