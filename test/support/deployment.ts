// The files under docs/deploy as data: which processes of this program they start, and with what.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments, parseDocument } from 'yaml';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/deploy');

// biome-ignore lint/suspicious/noExplicitAny: a file of somebody else's form; a schema has checked it
type Loose = any;

/** A process of this program that a deployment starts. */
export interface DeployedProcess {
  readonly name: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where its probe asks; undefined for one that only looks whether the port is open. */
  readonly probes: readonly { readonly port: number; readonly path: string | undefined }[];
  /** Ports that others are told of. */
  readonly ports: readonly number[];
}

export function readDeployFile(name: string): string {
  return readFileSync(path.join(FOLDER, name), 'utf8');
}

/** `compose.yaml`, with its values in place. */
export function composeFile(values: Readonly<Record<string, string>>): Loose {
  const text = readDeployFile('compose.yaml').replace(
    /\$\{([A-Z_]+)(?::-([^}]*))?\}/g,
    (_whole, name: string, fallback: string | undefined) => values[name] ?? fallback ?? '',
  );
  return parseDocument(text, { merge: true }).toJS();
}

/** Variables that compose.yaml takes from its file of values. */
export function composeVariables(): string[] {
  const found = readDeployFile('compose.yaml').matchAll(/\$\{([A-Z_]+)(?::-[^}]*)?\}/g);
  return [...new Set([...found].map(([, name]) => name ?? ''))].sort();
}

/** The services of compose.yaml that are this program. */
export function composeProcesses(values: Readonly<Record<string, string>>): DeployedProcess[] {
  const { services } = composeFile(values);
  return Object.entries<Loose>(services)
    .filter(([, service]) => service.image === (values['SPECWRIGHT_IMAGE'] ?? 'specwright'))
    .map(([name, service]): DeployedProcess => {
      const [, port, where] =
        /http:\/\/127\.0\.0\.1:(\d+)([^']*)/.exec(service.healthcheck.test.join(' ')) ?? [];
      return {
        name,
        words: service.command,
        env: service.environment,
        probes: [{ port: Number(port), path: where }],
        ports: (service.ports ?? []).map((one: string) => Number(one.split(':').at(-1))),
      };
    });
}

/** Every object of the Kubernetes files, with the file that it stands in. */
export function kubernetesObjects(): { readonly file: string; readonly object: Loose }[] {
  const files = ['platform', 'dashboard', 'studio', 'secrets.example'];
  return files.flatMap((name) => {
    const file = `kubernetes/${name}.yaml`;
    return parseAllDocuments(readDeployFile(file)).map((one) => ({
      file,
      object: (one as { toJS(): Loose }).toJS(),
    }));
  });
}

function kubernetesPort(container: Loose, port: string | number): number {
  if (typeof port === 'number') return port;
  return container.ports.find((one: Loose) => one.name === port)?.containerPort;
}

/** The containers of the Kubernetes files that are this program; values of secrets are theirs. */
export function kubernetesProcesses(): DeployedProcess[] {
  const objects = kubernetesObjects().map(({ object }) => object);
  const secrets = objects.filter(({ kind }) => kind === 'Secret');
  const given = ({ value, valueFrom }: Loose): string => {
    if (value !== undefined) return value;
    const { name, key } = valueFrom.secretKeyRef;
    return secrets.find((one) => one.metadata.name === name)?.stringData[key];
  };
  return objects.flatMap(({ kind, spec }): DeployedProcess[] =>
    kind !== 'Deployment' && kind !== 'StatefulSet'
      ? []
      : spec.template.spec.containers.map((container: Loose): DeployedProcess => {
          const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].flatMap((name) =>
            container[name] === undefined ? [] : [container[name]],
          );
          return {
            name: container.name,
            words: container.args,
            env: Object.fromEntries(container.env.map((one: Loose) => [one.name, given(one)])),
            probes: probes.map(({ httpGet, tcpSocket }) => ({
              port: kubernetesPort(container, (httpGet ?? tcpSocket).port),
              path: httpGet?.path,
            })),
            ports: container.ports.map((one: Loose) => one.containerPort),
          };
        }),
  );
}
