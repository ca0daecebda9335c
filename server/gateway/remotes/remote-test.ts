import { z } from 'zod';
import { me as operatorShape } from '../../contract/dashboard/session.ts';
import type {
  CheckLine,
  ConnectionReport,
  ServiceReport,
} from '../../contract/gateway/connections.ts';
import { health, PLATFORM_CONTRACT_VERSION } from '../../contract/platform/probes.ts';
import type { Clock } from '../../kernel/clock.ts';
import { withoutTrailingSlashes } from '../../kernel/trailing-slashes.ts';
import type { ServiceName } from '../connection.ts';
import { GATEWAY_ERRORS, type GatewayErrorCode } from '../gateway-errors.ts';
import { askRemote, type RemoteAnswer } from './remote-ask.ts';
import { failureOf } from './remote-failure.ts';
import { Lacks } from './remote-offers.ts';
import type { Reached, Remotes } from './remotes.ts';

const PATIENCE_MS = 10_000;
/** A `Date` header has whole seconds, and the way takes time. */
const CLOCK_ODD_MS = 10_000;
const SHORT_HASH = 16;

const PROBES: Readonly<Record<ServiceName, string>> = {
  platform: '/v1/healthz',
  dashboard: '/api/livez',
  studio: '/api/readyz',
};
/** A read that needs a credential. */
const WHO: Readonly<Record<ServiceName, string>> = {
  platform: '/v1/runs?limit=1',
  dashboard: '/api/me',
  studio: '/api/me',
};

type State = CheckLine['state'];
type Check = CheckLine['check'];

function line(check: Check, state: State, text: string, toDo: string | null = null): CheckLine {
  return { check, state, text, to_do: toDo };
}

/** What a code says: what happened, and what to do. */
function failed(check: Check, code: GatewayErrorCode): CheckLine {
  return line(check, 'failed', GATEWAY_ERRORS[code].message);
}

function jsonOf({ body }: RemoteAnswer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** One server of a connection, as the test meets it. */
interface Tested {
  readonly service: ServiceName;
  readonly base: string;
  readonly reached: Reached;
  readonly clock: Clock;
  readonly authorization: string | undefined;
  /** The key that the connection knows the server by. */
  known(): string | undefined;
}

function ask({ base, reached, authorization }: Tested, path: string): Promise<RemoteAnswer> {
  const url = new URL(`${withoutTrailingSlashes(base)}${path}`);
  return askRemote(reached.way, url, {
    headers: authorization === undefined ? {} : { authorization },
    patienceMs: PATIENCE_MS,
  });
}

function identityLine({ base, known }: Tested): CheckLine {
  if (new URL(base).protocol === 'http:') {
    return line('identity', 'unknown', 'Without TLS no server proves who it is.');
  }
  const key = known()?.slice(0, SHORT_HASH) ?? '';
  return line(
    'identity',
    'ok',
    `Its certificate is vouched for, and its key (${key}…) is the one that the connection knows.`,
  );
}

function partsOf(version: string): number[] {
  return version.split('.').map(Number);
}

/** Below zero when `one` is the older version. */
function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)];
  const at = [0, 1, 2].find((index) => left[index] !== right[index]);
  return at === undefined ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

function versionLine({ service }: Tested, answer: RemoteAnswer): CheckLine {
  if (service !== 'platform') {
    return line('version', 'unknown', `A ${service} does not say its version.`);
  }
  const read = health.safeParse(jsonOf(answer));
  if (!read.success) {
    return line(
      'version',
      'attention',
      'What answers does not say that it is a run platform.',
      'Check the address: it may be that of another service, or of a page before it.',
    );
  }
  const { version, metadata } = read.data;
  const program =
    typeof metadata['app_version'] === 'string' ? `, program ${metadata['app_version']}` : '';
  const order = compareVersions(version, PLATFORM_CONTRACT_VERSION);
  if (!Number.isFinite(order)) {
    return line('version', 'unknown', `It calls its version ${version}${program}.`);
  }
  if (order === 0) return line('version', 'ok', `Version ${version}${program}, as here.`);
  return order < 0
    ? line(
        'version',
        'attention',
        `Version ${version}${program}, older than here (${PLATFORM_CONTRACT_VERSION}).`,
        'What it cannot do is said where you ask for it. Ask who runs it for an update.',
      )
    : line('version', 'ok', `Version ${version}${program}, newer than here.`);
}

function refusedLine({ reached }: Tested, status: number): CheckLine {
  if (status === 403) {
    return line(
      'who',
      'attention',
      'The server knows the credential, but does not let it read.',
      'Ask who runs it for a key that may read runs.',
    );
  }
  if (status !== 401) {
    return line('who', 'unknown', `The server does not say who asks (status ${status}).`);
  }
  const { kind } = reached.stored.auth;
  if (kind === 'none') {
    return line(
      'who',
      'failed',
      'The server wants to know who asks.',
      'Give the connection a key, or a sign-in.',
    );
  }
  return failed('who', kind === 'key' ? 'remote_key_refused' : 'remote_sign_in_required');
}

const author = z.object({ display_name: z.string() });

async function whoLine(tested: Tested): Promise<CheckLine> {
  const answer = await ask(tested, WHO[tested.service]);
  if (answer.status !== 200) return refusedLine(tested, answer.status);
  const said = jsonOf(answer);
  const operator = operatorShape.safeParse(said);
  if (tested.service === 'dashboard' && operator.success) {
    const { identity, role } = operator.data;
    return line('who', 'ok', `You are ${identity}, ${role}.`);
  }
  const person = author.safeParse(said);
  if (tested.service === 'studio' && person.success) {
    return line('who', 'ok', `You are ${person.data.display_name}.`);
  }
  return line('who', 'ok', 'It accepts the connection’s credential; it does not say whose it is.');
}

function clockLine({ clock }: Tested, { headers }: RemoteAnswer): CheckLine {
  const told = Date.parse(headers.date ?? '');
  if (Number.isNaN(told)) return line('clock', 'unknown', 'The server does not say its time.');
  const apart = Math.round((told - clock.now()) / 1000);
  if (Math.abs(apart) * 1000 <= CLOCK_ODD_MS) {
    return line('clock', 'ok', 'Its clock and that of this computer agree.');
  }
  return line(
    'clock',
    'attention',
    `Its clock is ${Math.abs(apart)} seconds ${apart > 0 ? 'ahead of' : 'behind'} that of this computer.`,
    'Set the wrong one: deadlines and the ends of tokens go by it.',
  );
}

async function offersLine(tested: Tested): Promise<CheckLine> {
  if (tested.service !== 'platform') {
    return line('offers', 'unknown', `A ${tested.service} does not describe what it offers.`);
  }
  const answer = await ask(tested, '/openapi.json');
  const lacks = answer.status === 200 ? Lacks.in(jsonOf(answer)) : undefined;
  if (lacks === undefined) {
    return line(
      'offers',
      'unknown',
      'It does not describe what it offers (no OpenAPI document).',
      'What it does not know is said where you ask for it.',
    );
  }
  return lacks.words.length === 0
    ? line('offers', 'ok', 'It offers everything that the window asks for.')
    : line(
        'offers',
        'attention',
        `It cannot: ${lacks.words.join('; ')}.`,
        'These are explained where you ask for them.',
      );
}

async function linesOf(tested: Tested, credential: GatewayErrorCode | undefined) {
  let probe: RemoteAnswer;
  try {
    probe = await ask(tested, PROBES[tested.service]);
  } catch (error) {
    return [failed('reachable', failureOf(error))];
  }
  if (probe.status >= 300 && probe.status < 400) return [failed('reachable', 'remote_redirected')];
  const reachable =
    probe.status < 400
      ? line('reachable', 'ok', 'It answers.')
      : line(
          'reachable',
          'attention',
          `It answers with status ${probe.status}.`,
          'Check the path of the address, or wait until the service is ready.',
        );
  const who = credential === undefined ? await whoLine(tested) : failed('who', credential);
  return [
    reachable,
    identityLine(tested),
    versionLine(tested, probe),
    who,
    clockLine(tested, probe),
    await offersLine(tested),
  ];
}

/** Asks each server of a connection what a person wants to know before they rely on it. @throws Refusal */
export async function testRemote(
  remotes: Remotes,
  id: string,
  clock: Clock,
): Promise<ConnectionReport> {
  const stored = remotes.get(id);
  const reached: Reached = { stored, way: await remotes.way(stored) };
  const given = await remotes.authorization(reached);
  const credential = typeof given === 'object' ? given.code : undefined;
  const authorization = typeof given === 'object' ? undefined : given;
  const services: ServiceReport[] = [];
  for (const service of ['platform', 'dashboard', 'studio'] as const) {
    const base = stored[service];
    if (base === null) continue;
    const { origin } = new URL(base);
    let lines: CheckLine[];
    const known = () => remotes.get(id).identities.find((one) => one.origin === origin)?.key_sha256;
    const tested = { service, base, reached, clock, authorization, known };
    try {
      lines = await linesOf(tested, credential);
    } catch (error) {
      lines = [failed('reachable', failureOf(error))];
    }
    services.push({
      ...{ service, address: base, origin, lines },
      shown: remotes.shownKey(id, origin) ?? null,
      known: known() ?? null,
    });
  }
  return { services };
}
