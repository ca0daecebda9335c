import { toTimestamp } from '../../kernel/timestamp.ts';
import type { Secrets } from '../../runtime/secrets.ts';
import {
  DEFAULT_SIGNING_KEY,
  signBundle,
  verifyBundle as verify,
} from '../../spec/reports/bundle.ts';
import { formatOfFile } from '../../spec/yaml/parse-yaml.ts';
import { CommandFailure } from '../command-failure.ts';
import { readCliSettings } from '../connect/cli-settings.ts';
import { printFailure, printJson, printLine } from '../output.ts';
import { localSecrets } from '../project/local-secrets.ts';
import { findProjectConfig } from '../project/project-config.ts';
import { enforceProjectPolicy, loadResolved, resolveSpec } from '../project/resolve-spec.ts';
import { readTextFile } from '../read-text-file.ts';
import { writeFile } from '../write-file.ts';
import { builtSpec } from './local-answers.ts';

/** A key of the environment; the signing key has its reference spelling too. */
function keyNamed(name: string): string | undefined {
  const alias = name === DEFAULT_SIGNING_KEY ? process.env[`KNEO_${name}`] : undefined;
  return process.env[name] || alias || undefined;
}

/** The key that a bundle names: a secret that specs may name, not any variable. */
function keyOfBundle(name: string, secrets: Secrets): string | undefined {
  const answer = secrets.named(name);
  return answer.kind === 'found' ? answer.value : undefined;
}

export interface SignOptions {
  readonly output: string;
  readonly approvedBy: string;
  readonly env?: string;
  readonly keyEnv?: string;
  readonly json?: boolean;
}

/** `spec bundle sign`: a valid spec with the word of the person who approved it (spec-v1 19). */
export function sign(file: string, options: SignOptions): number {
  const key_id = options.keyEnv ?? DEFAULT_SIGNING_KEY;
  const key = keyNamed(key_id);
  if (key === undefined) {
    throw new CommandFailure(
      `There is no signing key: set ${key_id}, or name another by --key-env.`,
    );
  }
  const resolved = resolveSpec(file, options);
  const loaded = loadResolved(resolved);
  builtSpec(loaded);
  enforceProjectPolicy(resolved, loaded);
  const bundle = signBundle({
    spec: resolved.document ?? {},
    approved_by: options.approvedBy,
    environment: resolved.environment ?? null,
    created_at: toTimestamp(Date.now()),
    key_id,
    key,
  });
  writeFile(options.output, `${JSON.stringify(bundle, null, 2)}\n`);
  if (options.json) printJson(bundle);
  else printLine(`✓ ${options.output}: signed with ${key_id}, ${bundle.digest.value}`);
  return 0;
}

/** `spec bundle verify`: exit 1 unless digest and signature hold. */
export async function verifyBundle(
  file: string,
  options: { readonly keyEnv?: string; readonly json?: boolean },
): Promise<number> {
  const text = readTextFile(file);
  const checked = (keyOf: (keyId: string) => string | undefined) =>
    verify(text, formatOfFile(file), keyOf, options.keyEnv);
  let used = '';
  let found = checked((keyId) => {
    used = keyId;
    return keyNamed(keyId);
  });
  // Stored secrets are opened for a bundle that names one of them, and for no other.
  if (options.keyEnv === undefined && used !== '' && used !== DEFAULT_SIGNING_KEY) {
    const { projectConfig } = readCliSettings(process.env);
    const secrets = await localSecrets({}, findProjectConfig(projectConfig));
    found = checked((keyId) => keyOfBundle(keyId, secrets));
  }
  if (options.json) printJson(found);
  else {
    for (const problem of found.errors) printLine(problem);
    if (found.valid) printLine(`✓ digest and signature hold (key ${used})`);
    else printFailure('the bundle is not valid');
  }
  return found.valid ? 0 : 1;
}
