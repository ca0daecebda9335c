// A network of a test's own: loopback, and a way out that leads nowhere and is counted.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const OUT = 'out0';

/**
 * Makes the network and runs the rest of the words in it. What goes out arrives at the other end of a
 * pair of devices, where nobody is. Neighbours are written down and nothing is sent to groups, so that
 * the system itself sends nothing there once both devices are up.
 */
const IN_OWN_NETWORK = `
set -e
ip link set lo up
ip link add ${OUT} type veth peer name out1
echo 1 > /proc/sys/net/ipv6/conf/out1/disable_ipv6
echo 0 > /proc/sys/net/ipv6/conf/${OUT}/router_solicitations
echo 0 > /proc/sys/net/ipv6/conf/${OUT}/accept_dad
echo 1 > /proc/sys/net/ipv6/conf/${OUT}/addr_gen_mode
ip link set ${OUT} multicast off
ip addr add 10.77.0.1/24 dev ${OUT}
ip -6 addr add fd77::1/64 dev ${OUT} nodad
ip link set out1 up
ip link set ${OUT} up
ip neigh add 10.77.0.2 lladdr 02:00:00:00:00:02 dev ${OUT}
ip -6 neigh add fd77::2 lladdr 02:00:00:00:00:02 dev ${OUT}
ip route add default via 10.77.0.2
ip -6 route add default via fd77::2
sleep 2
exec "$@"
`;

/** The words that run a program in a network of its own. */
export function inOwnNetwork(...words: readonly string[]): [string, ...string[]] {
  const asRoot = process.getuid?.() === 0;
  return ['unshare', asRoot ? '-n' : '-rn', 'sh', '-c', IN_OWN_NETWORK, 'sh', ...words];
}

/** Whether such a network can be made here. */
export function canMakeNetwork(): boolean {
  const [program, ...words] = inOwnNetwork('true');
  return spawnSync(program, words).status === 0;
}

/** How many packets were sent out of this network so far. */
export function packetsOut(): number {
  const line = readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .find((text) => text.trimStart().startsWith(`${OUT}:`));
  const columns = (line ?? '').replace(/^.*:/, '').trim().split(/\s+/);
  const [, , , , , , , , , sent] = columns;
  if (sent === undefined) throw new TypeError('this network has no way out');
  return Number(sent);
}

/** A socket of this network, as the system lists it. */
export interface Socket {
  readonly kind: string;
  readonly local: string;
  readonly remote: string;
}

const KINDS = ['tcp', 'tcp6', 'udp', 'udp6', 'raw', 'raw6'] as const;

/** Groups of eight digits are words of a little-endian machine. */
function addressOf(written: string): string {
  const [digits = ''] = written.split(':');
  const bytes = (digits.match(/.{8}/g) ?? []).flatMap((word) =>
    [...Buffer.from(word, 'hex')].toReversed(),
  );
  return bytes.length === 4
    ? bytes.join('.')
    : Array.from({ length: 8 }, (_, at) =>
        (((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0)).toString(16),
      ).join(':');
}

function socketsOf(kind: (typeof KINDS)[number]): Socket[] {
  const [, ...rows] = readFileSync(`/proc/net/${kind}`, 'utf8').trim().split('\n');
  return rows.map((row) => {
    const [, local = '', remote = ''] = row.trim().split(/\s+/);
    return { kind, local: addressOf(local), remote: addressOf(remote) };
  });
}

const LOOPBACK = /^(?:127\..*|(?:0:){7}1|(?:0:){5}ffff:7f\w\w:\w+)$/;
const ANY = /^(?:0\.0\.0\.0|(?:0:){7}0)$/;

/** The sockets that are there now and concern more than loopback: they listen for others, or lead to them. */
export function socketsBeyondLoopback(): Socket[] {
  return KINDS.flatMap(socketsOf).filter(
    ({ local, remote }) => !LOOPBACK.test(local) || !(LOOPBACK.test(remote) || ANY.test(remote)),
  );
}
