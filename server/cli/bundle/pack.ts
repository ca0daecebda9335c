import path from 'node:path';
import { readSigningKey } from '../../bundles/keys.ts';
import { packProject } from '../../bundles/pack-project.ts';
import { BUNDLE_EXTENSION } from '../../contract/bundle.ts';
import { findAppFiles } from '../../host/app-root.ts';
import { sameJson } from '../../kernel/same-json.ts';
import { formatOfFile, parseWholeText } from '../../spec/yaml/parse-yaml.ts';
import { printJson, printLine } from '../output.ts';
import { specRootHere } from '../project/local-secrets.ts';
import {
  documentOf,
  enforceProjectPolicy,
  loadResolved,
  type ResolvedSpec,
  resolveSpec,
} from '../project/resolve-spec.ts';
import { readTextFile } from '../read-text-file.ts';
import { builtSpec } from '../spec/local-answers.ts';
import { told, writeBundleFile } from './bundle-files.ts';
import { printContents } from './bundle-text.ts';

export interface PackOptions {
  readonly output?: string;
  readonly sign?: string;
  readonly env?: string;
  readonly json?: boolean;
}

/** The file as the author wrote it, when its project made another document of it. */
function layersOf({ file, document }: ResolvedSpec) {
  const text = readTextFile(file);
  const own = parseWholeText(text, formatOfFile(file)).value;
  if (own === undefined || sameJson(own, document ?? {})) return [];
  return [{ name: path.basename(file), bytes: new TextEncoder().encode(text) }];
}

/** `bundle`: a spec with what it names, as one file for another machine. */
export async function pack(file: string | undefined, options: PackOptions): Promise<number> {
  const resolved = resolveSpec(file, options);
  const document = documentOf(resolved);
  const loaded = loadResolved(resolved);
  builtSpec(loaded);
  enforceProjectPolicy(resolved, loaded);
  const name = path.basename(resolved.file).replace(/\.(?:ya?ml|json)$/i, '');
  const { sign } = options;
  const { manifest, archive } = await told(() =>
    packProject({
      root: specRootHere(resolved.project),
      name,
      document,
      layers: layersOf(resolved),
      environment: resolved.environment ?? null,
      version: findAppFiles().version,
      signingKey: sign === undefined ? undefined : readSigningKey(readTextFile(sign)),
    }),
  );
  const output = options.output ?? `${name}${BUNDLE_EXTENSION}`;
  writeBundleFile(output, archive);
  if (options.json) printJson(manifest);
  else {
    printContents(manifest);
    printLine(
      `✓ ${output}: ${manifest.files.length} files${sign === undefined ? ', not signed' : ', signed'}`,
    );
  }
  return 0;
}
