import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import parseForwarded from 'forwarded-parse';
import { isLoopbackHost } from '../http/door-guard.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';

/** Where a request comes from, as far as it can be believed. */
export interface Origin {
  /** The address of the client; null when proxies contradict each other. */
  readonly client: string | null;
  readonly isHttps: boolean;
  /** Forwarding headers came from a peer that nobody named. */
  readonly isUntrusted: boolean;
  readonly isForwarded: boolean;
}

type Hops = readonly { readonly client: string; readonly proto: string | undefined }[];

const HEADERS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'] as const;

function plainAddress(address: string): string {
  const bare = address
    .trim()
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return bare.replace(/^::ffff:/i, '').toLowerCase();
}

const BITS = { ipv4: 32, ipv6: 128 } as const;

function addPeer(peers: BlockList, address: string, bits: string | undefined): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (bits === undefined) peers.addAddress(address, family);
  else if (/^\d{1,3}$/.test(bits) && Number(bits) <= BITS[family]) {
    peers.addSubnet(address, Number(bits), family);
  } else return false;
  return true;
}

/** The peers that an operator named, as addresses or ranges. @throws StartRefusal for other text */
export function trustedPeers(listed: readonly string[], setting: string): BlockList {
  const peers = new BlockList();
  for (const item of listed) {
    const [address = '', bits] = item.split('/');
    if (addPeer(peers, address, bits)) continue;
    throw new StartRefusal(`${setting}: "${item}" is no address and no range such as 10.0.0.0/8.`);
  }
  return peers;
}

function isNamed(peers: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && peers.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function listOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text.split(',').map((part) => part.trim());
}

function xForwarded(headers: IncomingMessage['headers']): Hops | undefined {
  if (headers['x-forwarded-for'] === undefined) return undefined;
  const protos = listOf(headers['x-forwarded-proto']);
  const clients = listOf(headers['x-forwarded-for']);
  return clients.map((client, index) => ({
    client: plainAddress(client),
    proto: (protos.length === clients.length ? protos[index] : protos[0])?.toLowerCase(),
  }));
}

function standard(headers: IncomingMessage['headers']): Hops | undefined {
  const { forwarded } = headers;
  if (forwarded === undefined) return undefined;
  try {
    return parseForwarded(forwarded).map((hop) => ({
      client: plainAddress(hop['for'] ?? ''),
      proto: hop['proto']?.toLowerCase(),
    }));
  } catch {
    return [];
  }
}

function agree(one: Hops, other: Hops): boolean {
  return (
    one.length === other.length &&
    one.every(
      (hop, index) => hop.client === other[index]?.client && hop.proto === other[index]?.proto,
    )
  );
}

/** The last hop that is none of our proxies, or the first of all. */
function lastForeign(hops: Hops, peers: BlockList): Hops[number] | undefined {
  return hops.findLast(({ client }) => !isNamed(peers, client)) ?? hops[0];
}

/**
 * Who asks, by the socket and by what named proxies say (studio.md 4.4). `isVouched`: the peer showed
 * by a key that it is the program's own gateway.
 */
export function originOf(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  peers: BlockList,
  isVouched = false,
): Origin {
  const { headers, socket } = request;
  const peer = plainAddress(socket.remoteAddress ?? '127.0.0.1');
  const isForwarded = HEADERS.some((name) => headers[name] !== undefined);
  if (!isForwarded) return { client: peer, isHttps: false, isUntrusted: false, isForwarded };
  if (!isVouched && !isNamed(peers, peer)) {
    return { client: peer, isHttps: false, isUntrusted: true, isForwarded };
  }
  const [old, now] = [xForwarded(headers), standard(headers)];
  const hops = now ?? old ?? [];
  if (old !== undefined && now !== undefined && !agree(old, now)) {
    return { client: null, isHttps: false, isUntrusted: false, isForwarded };
  }
  const hop = lastForeign(hops, peers);
  const proto =
    hop?.proto ?? (now === undefined ? listOf(headers['x-forwarded-proto']).at(-1) : '');
  return {
    client: hop === undefined || isIP(hop.client) === 0 ? null : hop.client,
    isHttps: proto === 'https',
    isUntrusted: false,
    isForwarded,
  };
}

/** True for a client that sits at this machine. */
export function isLocal({ client }: Origin): boolean {
  return client !== null && isLoopbackHost(client);
}
