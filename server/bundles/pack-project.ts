import type { KeyObject } from 'node:crypto';
import { BUNDLE_FORMAT } from '../contract/bundle.ts';
import { PLATFORM_CONTRACT_VERSION } from '../contract/platform/probes.ts';
import type { JsonObject } from '../kernel/json.ts';
import { loadSpec } from '../spec/load/load-spec.ts';
import { specNeeds } from '../spec/reports/bundle-needs.ts';
import { emitYaml } from '../spec/yaml/emit-yaml.ts';
import { collectFiles } from './collect-files.ts';
import { findLiteralSecret, findSecretLine } from './find-literal.ts';
import { BundleRefusal } from './refusal.ts';
import { type PackedFile, type WrittenBundle, writeBundle } from './write-bundle.ts';

const SPEC_PATH = 'spec.yaml';

/** What is packed, and from where. */
export interface PackInput {
  /** The folder in which paths and functions of the spec are looked for. */
  readonly root: string;
  readonly name: string;
  /** The composed document. */
  readonly document: JsonObject;
  /** What it was composed of, each under a file name; empty when nothing was composed. */
  readonly layers: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly environment: string | null;
  /** Version of this program. */
  readonly version: string;
  readonly signingKey?: KeyObject | undefined;
}

function refuseSecrets(document: JsonObject, files: readonly PackedFile[]): void {
  const at = findLiteralSecret(document);
  if (at !== undefined) {
    throw new BundleRefusal(
      'secret_in_file',
      `The draft holds what looks like a secret at ${at}. Store it and name it instead; a bundle carries names only.`,
    );
  }
  for (const { path, bytes } of files) {
    const line = findSecretLine(new TextDecoder().decode(bytes));
    if (line !== undefined) {
      throw new BundleRefusal(
        'secret_in_file',
        `${path} holds what looks like a secret in line ${line}. Take it out; a bundle carries names only.`,
      );
    }
  }
}

/**
 * Packs a composed spec with what it names in its tree. Secrets and credentials go by name; a file
 * that holds one is refused.
 * @throws BundleRefusal
 */
export async function packProject(input: PackInput): Promise<WrittenBundle> {
  const { root, document, environment } = input;
  const { spec, diagnostics } = loadSpec({ base: document, environment });
  if (spec === undefined) {
    const reason = diagnostics[0]?.message ?? 'It cannot be read.';
    throw new BundleRefusal('spec_invalid', `The spec is not valid. ${reason}`);
  }
  const found = await collectFiles(root, spec, document);
  const text = new TextEncoder();
  const files: PackedFile[] = [
    { path: SPEC_PATH, role: 'spec', bytes: text.encode(emitYaml(document)) },
    ...input.layers.map(
      ({ name, bytes }, index): PackedFile => ({
        path: `layers/${String(index).padStart(2, '0')}-${name.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}`,
        role: 'layer',
        bytes,
      }),
    ),
    ...found.files,
  ];
  refuseSecrets(document, files);
  const needs = {
    ...specNeeds(spec),
    steps: [...found.steps],
    functions: [...found.functions],
    packages: [...found.packages],
    files: [...found.left],
  };
  const versions = {
    specwright: input.version,
    spec: spec.version,
    platform: PLATFORM_CONTRACT_VERSION,
  };
  const frame = {
    format: BUNDLE_FORMAT,
    name: input.name.slice(0, 128) || 'bundle',
    versions,
    environment,
    spec: SPEC_PATH,
    needs,
  } as const;
  return writeBundle(frame, files, input.signingKey);
}
