import { expect, test } from 'vitest';
import { isPrivateAddress } from './public-address.ts';

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '0.0.0.0',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  'fd00:ec2::254',
  'fe80::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each(['93.184.216.34', '172.32.0.1', '2606:2800:220:1::1'])('%s is public', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});
