import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Operations that no screen calls, and why none should. */
const EXCUSED: Readonly<Record<string, string>> = {
  'dashboard.getLivez': 'for what supervises the process',
  'dashboard.loginCallback': 'the identity provider sends the browser there',
  'dashboard.streamRunTrace': 'its events are read as the stream that the same file declares',
  'dashboard.listRunTrace': 'the stream brings the same events from the first on',
  'dashboard.runErrorSummary': 'the failures page groups by the error too, from the list',
  'dashboard.getRunRecovery': 'the run page asks the platform itself, which tells more',
  'studio.finish_oidc_login': 'the identity provider sends the browser there',
  'studio.list_projects': 'get_me brings the projects',
  'studio.get_project': 'get_me brings the projects',
  'studio.list_environments': 'the bindings bring their aliases',
  'studio.get_environment_policy': 'the state of an environment brings it',
  'studio.get_environment_credential_refs': 'the state of an environment brings them',
  'studio.explain_artifact': 'the policy report and the composition tell more',
  'studio.list_analyses': 'the entries of analyses bring more of the same',
  'studio.cancel_test_run': 'a run of an artifact is stopped on its run page',
  'studio.get_test_run_graph': 'a run of an artifact is shown on its run page',
  'studio.get_test_run_trace': 'a run of an artifact is shown on its run page',
  'studio.list_test_run_checkpoints': 'a run of an artifact is shown on its run page',
  'studio.diff_test_run_checkpoints': 'a run of an artifact is shown on its run page',
};

interface Exported {
  readonly name: string;
  readonly file: string;
  readonly operation: string;
}

function isOperation(value: unknown): value is { readonly service: string; readonly id: string } {
  return typeof value === 'object' && value !== null && 'service' in value && 'id' in value;
}

async function operationsOf(service: string): Promise<Exported[]> {
  const folder = path.join(root, 'server/contract', service);
  const files = readdirSync(folder).filter((file) => /^[\w-]+\.ts$/.test(file));
  const found = await Promise.all(
    files.map(async (file) => {
      const module: Record<string, unknown> = await import(path.join(folder, file));
      return Object.entries(module).flatMap(([name, value]) =>
        isOperation(value) && value.service === service
          ? [{ name, file, operation: `${service}.${value.id}` }]
          : [],
      );
    }),
  );
  return found.flat();
}

function windowSources(): string[] {
  const files = readdirSync(path.join(root, 'renderer'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .map((file) => readFileSync(path.join(root, 'renderer', file), 'utf8'));
}

/** True when a source imports the operation from its file and uses it besides. */
function isUsed({ name, file }: Exported, service: string, sources: readonly string[]): boolean {
  const from = `/contract/${service}/${file}'`;
  const word = new RegExp(`\\b${name}\\b`, 'g');
  return sources.some((text) => text.includes(from) && (text.match(word)?.length ?? 0) > 1);
}

test.each(['dashboard', 'studio'])(
  'every operation of the %s is called by a screen, or excused',
  async (service) => {
    const sources = windowSources();
    const operations = await operationsOf(service);
    expect(operations.length).toBeGreaterThan(40);
    const unused = operations
      .filter((operation) => !isUsed(operation, service, sources))
      .map(({ operation }) => operation)
      .sort();
    const excused = Object.keys(EXCUSED).filter((name) => name.startsWith(`${service}.`));
    expect(unused).toEqual(excused.sort());
  },
);
