// docs/deploy/compose.yaml in containers of this machine, under names and certificates of a test, with a
// model that answers when it may.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { type Authority, makeAuthority } from '../../support/test-authority.ts';
import { type Engine, runTool } from './container-engine.ts';
import { scratchFolder } from './scratch-folder.ts';
import { hasImage, imageOf } from './stand-in-images.ts';
import { freePort } from './team.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const DEPLOY = path.join(root, 'docs/deploy');
const node = path.join(root, 'node_modules/.bin/node');
const KEYCLOAK = 'quay.io/keycloak/keycloak:26.0';
const USER = 10_001;

/** Under which the names of the services are. */
export const DOMAIN = 'specwright.test';
/** The services of the file that are this program. */
export const OWN = ['api', 'worker-1', 'worker-2', 'dashboard', 'studio'] as const;

/** A team's installation in containers. */
export interface ComposeStack {
  /** Where the proxy answers for every name, on this machine. */
  readonly port: number;
  readonly values: Readonly<Record<string, string>>;
  /** True where Keycloak itself answers, and not what stands in for it. */
  readonly hasKeycloak: boolean;
  compose(...words: readonly string[]): string;
  /** The container of a service. */
  container(service: string): string;
  /** Whether a service's own check says that it is well. */
  isHealthy(service: string): boolean;
  /** The worker that last asked the model. */
  asking(): string | undefined;
  /** From now on the model answers. */
  letAnswer(): void;
  /** Asks under a name of the domain, through the proxy. */
  ask(name: string, where: string, options?: Asked): Promise<{ status: number; text: string }>;
  /** Ends and removes everything of it. */
  remove(): void;
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Builds the image of the program, as the Containerfile says. */
export function buildImage(engine: Engine, tag: string): void {
  const context = scratchFolder();
  const container = path.join(root, 'scripts/container');
  execFileSync(node, [path.join(container, 'stage.mjs'), context.path]);
  const from = imageOf(engine, 'docker.io/library/node:26-bookworm-slim', 'node');
  const format = engine.name === 'podman' ? ['--format', 'docker'] : [];
  engine.run(
    ...['build', '-q', ...format, '-f', path.join(container, 'Containerfile')],
    ...['--build-arg', `NODE_IMAGE=${from}`, '-t', tag, context.path],
  );
  context.remove();
}

/** Puts other words in the place of some that a text has exactly once. */
function exchanged(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((changed, [from, to]) => {
    const parts = changed.split(from);
    if (parts.length !== 2) throw new Error(`${parts.length - 1} times in the file: ${from}`);
    return parts.join(to);
  }, text);
}

/** env.example, filled in with secrets that nobody else has. */
function fillValues(image: string): Record<string, string> {
  const rows = readFileSync(path.join(DEPLOY, 'env.example'), 'utf8').matchAll(
    /^([A-Z_]+)=(.*)$/gm,
  );
  const filled = [...rows].map(([, name = '', value = '']) => [
    name,
    value === '' && name !== 'OPENAI_API_KEY' ? randomBytes(24).toString('hex') : value,
  ]);
  return { ...Object.fromEntries(filled), DOMAIN, SPECWRIGHT_IMAGE: image };
}

function writeCertificates(folder: string, authority: Authority): void {
  const { cert, key } = authority.issue({ names: `DNS:*.${DOMAIN}` });
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'authority.pem'), authority.cert);
  writeFileSync(path.join(folder, 'cert.pem'), cert);
  writeFileSync(path.join(folder, 'key.pem'), key);
}

/** What the test adds: trust in its authority, a model, and a provider where Keycloak is not here. */
function additions(nodeImage: string, hasKeycloak: boolean): object {
  const trusting = {
    environment: { NODE_EXTRA_CA_CERTS: '/certificates/authority.pem' },
    volumes: ['./certificates:/certificates:ro'],
  };
  const checkout = `${root}:/checkout:ro`;
  const run = (file: string, ...words: readonly string[]) => ({
    image: nodeImage,
    init: true,
    command: ['node', `/checkout/test/support/${file}`, ...words],
  });
  return {
    services: {
      dashboard: trusting,
      studio: trusting,
      proxy: { volumes: trusting.volumes },
      model: { ...run('container-model.ts', '/may/answer'), volumes: [checkout, './may:/may:ro'] },
      ...(hasKeycloak
        ? {}
        : { provider: { ...run('container-provider.ts'), volumes: [checkout] } }),
    },
  };
}

function writeFiles(folder: string, engine: Engine, image: string, port: number) {
  const hasKeycloak = hasImage(engine, KEYCLOAK);
  const nodeImage = imageOf(engine, 'docker.io/library/node:26-bookworm-slim', 'node');
  const values = fillValues(image);
  const read = (name: string) => readFileSync(path.join(DEPLOY, name), 'utf8');
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  cpSync(path.join(DEPLOY, 'databases.sh'), path.join(folder, 'databases.sh'));
  write('realm.json', read('realm.json'));
  const images = {
    'docker.io/library/postgres:17': imageOf(engine, 'docker.io/library/postgres:17', 'postgres'),
    'docker.io/library/caddy:2': imageOf(engine, 'docker.io/library/caddy:2', 'caddy'),
    ...(hasKeycloak ? {} : { [KEYCLOAK]: nodeImage }),
  };
  write(
    'compose.yaml',
    exchanged(read('compose.yaml'), {
      ...images,
      '["80:80", "443:443"]': `["127.0.0.1:${port}:443"]`,
      // Another network than that of a real installation on this machine.
      'STUDIO_TRUSTED_PROXIES: 172.30.0.0/24': 'STUDIO_TRUSTED_PROXIES: 172.30.251.0/24',
      'subnet: 172.30.0.0/24': 'subnet: 172.30.251.0/24',
    }),
  );
  write('compose.override.yaml', JSON.stringify(additions(nodeImage, hasKeycloak)));
  const tls = 'tls /certificates/cert.pem /certificates/key.pem';
  write('Caddyfile', read('Caddyfile').replaceAll('{$DOMAIN} {', `{$DOMAIN} {\n\t${tls}`));
  write(
    '.env',
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const provider = read('studio-provider.example.json')
    .replaceAll('specwright.example', DOMAIN)
    .replace('STUDIO_CLIENT_SECRET of .env', values['STUDIO_CLIENT_SECRET'] ?? '');
  const file = path.join(folder, 'studio-provider.json');
  writeFileSync(file, provider, { mode: 0o600 });
  chownSync(file, USER, USER);
  for (const name of ['specs', 'may']) mkdirSync(path.join(folder, name));
  chmodSync(folder, 0o755);
  return { values, hasKeycloak };
}

/** Lays the files out; nothing is started yet. Needs root, since the studio's secret is its user's. */
export async function layOut(engine: Engine, image: string): Promise<ComposeStack> {
  const scratch = scratchFolder();
  const authority = makeAuthority();
  const port = await freePort();
  const { values, hasKeycloak } = writeFiles(scratch.path, engine, image, port);
  writeCertificates(path.join(scratch.path, 'certificates'), authority);
  const project = path.basename(scratch.path).toLowerCase();
  const files = ['-f', 'compose.yaml', '-f', 'compose.override.yaml'];
  const compose = (...words: readonly string[]) =>
    runTool([...engine.compose, '-p', project, ...files, ...words], scratch.path);
  const container = (service: string): string => {
    const labels = { project, service };
    const filters = Object.entries(labels).flatMap(([name, value]) => [
      '--filter',
      `label=com.docker.compose.${name}=${value}`,
    ]);
    const [id = ''] = engine.run('ps', '-aq', ...filters).split('\n');
    if (id === '') throw new Error(`there is no container of ${service}`);
    return id;
  };
  const addressOf = (service: string): string => {
    const form = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
    return engine.run('inspect', '-f', form, container(service)).trim();
  };
  return {
    ...{ port, values, hasKeycloak, compose, container },
    isHealthy: (service) => engine.isHealthy(container(service)),
    asking() {
      const last = engine.run('logs', container('model')).trim().split('asked by ').at(-1);
      return ['worker-1', 'worker-2'].find((name) => last !== '' && addressOf(name) === last);
    },
    letAnswer: () => writeFileSync(path.join(scratch.path, 'may/answer'), ''),
    ask: (name, where, { headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const host = `${name}.${DOMAIN}`;
        const request = https.request(
          {
            ...{ host: '127.0.0.1', port, servername: host, path: where, ca: authority.cert },
            method: body === undefined ? 'GET' : 'POST',
            headers: { host, ...headers },
          },
          (answer) => {
            let text = '';
            answer.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk;
            });
            answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
          },
        );
        request.on('error', reject);
        request.end(body);
      }),
    remove() {
      compose('down', '--volumes', '--timeout', '1');
      authority.close();
      scratch.remove();
    },
  };
}
