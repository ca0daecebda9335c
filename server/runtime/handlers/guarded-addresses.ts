import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isInDomains, urlHost } from '../../engine/tool-policy.ts';
import { HttpFailure } from '../../handlers/http-port.ts';

/** Where the steps of a run may send requests; hosts with those below them. */
export interface HttpPolicy {
  /** Empty: to every host that is not denied. */
  readonly allowedDomains: readonly string[];
  /** Wins over the allowed ones. */
  readonly deniedDomains: readonly string[];
}

const REFUSED = 'ERR_ADDRESS_REFUSED';

/** Addresses at which machines of a data centre tell their own keys. */
const LOCAL_TO_MACHINE = new BlockList();
LOCAL_TO_MACHINE.addSubnet('169.254.0.0', 16, 'ipv4');
LOCAL_TO_MACHINE.addAddress('100.100.100.200', 'ipv4');
LOCAL_TO_MACHINE.addSubnet('fe80::', 10, 'ipv6');
LOCAL_TO_MACHINE.addAddress('fd00:ec2::254', 'ipv6');
const METADATA_HOSTS = ['metadata.google.internal', 'metadata.goog'];

function isLocalToMachine(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return isInDomains(address, METADATA_HOSTS);
  return LOCAL_TO_MACHINE.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function refusedAddress(host: string): HttpFailure {
  return new HttpFailure(
    REFUSED,
    `'${host}' is an address at which a machine keeps keys of its own, and no step may ask it. Name the host in allowed_domains when it is meant.`,
  );
}

/** The host of an address, when the policy lets a step ask it. @throws HttpFailure */
export function permittedHost(url: URL, { allowedDomains, deniedDomains }: HttpPolicy): string {
  const host = urlHost(url.href) ?? '';
  if (isInDomains(host, deniedDomains))
    throw new HttpFailure(REFUSED, `the host '${host}' is in denied_domains.`);
  if (isInDomains(host, allowedDomains)) return host;
  if (allowedDomains.length > 0)
    throw new HttpFailure(
      REFUSED,
      `the host '${host}' is not in allowed_domains. Add it there when the step may ask it.`,
    );
  if (isLocalToMachine(host)) throw refusedAddress(host);
  return host;
}

/** Looks names up as the system does, but gives no address that is local to the machine. */
export function guardedLookup(host: string, policy: HttpPolicy): LookupFunction {
  const isNamed = isInDomains(host, policy.allowedDomains);
  return (name, options, done) => {
    lookup(name, options, (error, found: string | LookupAddress[], family) => {
      const addresses = typeof found === 'string' ? [found] : found?.map(({ address }) => address);
      if (error === null && !isNamed && addresses.some(isLocalToMachine))
        done(refusedAddress(host), found, family);
      else done(error, found, family);
    });
  };
}
