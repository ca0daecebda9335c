import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that lead to this machine or to those beside it (RFC 6890 and what came later). */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}

/** True for an address of this machine, of its network, or of no single machine. */
export function isPrivateAddress(address: string): boolean {
  return PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** An address that no event is sent to. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';

  constructor() {
    super(
      'the address is one of this machine or its network; SERV_EVENTS_PRIVATE_ADDRESSES allows those',
    );
  }
}

/** @throws PrivateAddress where the host of an address is a private one in digits */
export function refusePrivateHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && isPrivateAddress(host)) throw new PrivateAddress();
}

/**
 * Looks names up as the system does, at the moment of the connection: a name of which any address is
 * private leads nowhere, whatever it named before.
 */
export const publicLookup: LookupFunction = (name, options, done) => {
  lookup(name, options, (error, found: string | LookupAddress[], family) => {
    const addresses = typeof found === 'string' ? [found] : found?.map(({ address }) => address);
    if (error === null && addresses.some(isPrivateAddress))
      done(new PrivateAddress(), found, family);
    else done(error, found, family);
  });
};
