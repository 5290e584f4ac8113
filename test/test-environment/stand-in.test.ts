import { describe, expect, it } from '@jest/globals';
import { isStandIn } from '../../src/test-environment/stand-in.ts';

describe('a server that stands in for the real one', () => {
  it.each([
    'smtp://127.0.0.1:1025',
    'smtp://127.8.8.8',
    'smtp://[::1]:1025',
    'smtp://localhost:1025',
    'smtps://user:password@mail:465',
    'http://phone_inbox:4010',
    'http://127.1',
  ])('may be %s', (address) => {
    expect(isStandIn(address)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'mail',
    'smtp://',
    'smtp://smtp.insurer.example:587',
    'smtp://user:password@smtp.insurer.example',
    'smtp://localhost@smtp.insurer.example',
    'smtp://localhost.',
    'smtp://localhost.insurer.example',
    'https://api.twilio.com',
    'smtp://10.0.0.5:25',
    'smtp://192.168.1.4',
    'smtp://[2001:db8::1]',
    'smtp://[::ffff:8.8.8.8]',
    // 8.8.8.8, as resolvers of old read it
    'smtp://134744072',
    'smtp://0x08080808',
    'http://134744072',
    // nodemailer reads options from a query
    'smtp://localhost:1025/?service=gmail',
    'smtp://localhost?host=smtp.insurer.example',
  ])('is not %s', (address) => {
    expect(isStandIn(address)).toBe(false);
  });
});
