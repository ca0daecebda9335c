import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readPublicKey } from '../../bundles/keys.ts';
import { type OpenBundle, openBundle } from '../../bundles/open-bundle.ts';
import { unpackBundle } from '../../bundles/unpack-bundle.ts';
import { createRun } from '../../contract/platform/client-routes.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { type LoadedSpec, loadSpec } from '../../spec/load/load-spec.ts';
import { namedSecrets } from '../../spec/reports/bundle-needs.ts';
import { formatOfFile, parseWholeText } from '../../spec/yaml/parse-yaml.ts';
import { readRunAnswer } from '../answers.ts';
import { CommandFailure } from '../command-failure.ts';
import { readCliSettings } from '../connect/cli-settings.ts';
import { openLocalPlatform, refuseServed } from '../connect/local-platform.ts';
import { openSession } from '../connect/platform-session.ts';
import { printDiagnostics, printNote } from '../output.ts';
import { localSecrets } from '../project/local-secrets.ts';
import { readTextFile } from '../read-text-file.ts';
import { attend, printOutcome } from '../runs/run-spec.ts';
import { compilation } from '../spec/local-answers.ts';
import { readBundleFile, told } from './bundle-files.ts';
import { signerLine } from './bundle-text.ts';

export interface RunBundleOptions {
  readonly input?: string;
  readonly trustKey?: string;
  readonly trust?: boolean;
  readonly into?: string;
  readonly target?: 'agent' | 'workflow';
  readonly data?: string;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** A folder for the files of a bundle: one that the person named and that holds nothing, or a passing one. */
function prepareFolder(into: string | undefined): { folder: string; passing: boolean } {
  if (into === undefined) {
    return { folder: mkdtempSync(path.join(os.tmpdir(), 'specwright-bundle-')), passing: true };
  }
  const folder = path.resolve(into);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (readdirSync(folder).length === 0) return { folder, passing: false };
  } catch (error) {
    throw new CommandFailure(`${into} cannot be used (${systemCode(error) ?? 'unknown error'}).`);
  }
  throw new CommandFailure(`${into} is not empty; name a new folder.`);
}

function documentIn({ manifest, files }: OpenBundle) {
  const text = new TextDecoder().decode(files.get(manifest.spec));
  const { value, diagnostics } = parseWholeText(text, formatOfFile(manifest.spec));
  if (value !== undefined) return value;
  printDiagnostics(diagnostics, printNote);
  throw new CommandFailure("The bundle's spec is no document.");
}

interface Readiness {
  readonly folder: string;
  readonly trusted: boolean;
  readonly data: string | undefined;
}

/** Refuses a bundle that cannot run here, with everything that is missing by name. */
async function requireReady(loaded: LoadedSpec, place: Readiness): Promise<void> {
  const { folder, trusted, data } = place;
  const secrets = await localSecrets(
    { trust: trusted, ...(data === undefined ? {} : { data }) },
    undefined,
  );
  const names = loaded.spec === undefined ? [] : namedSecrets(loaded.spec);
  const missing = names.filter((name) => secrets.named(name).kind === 'missing');
  if (missing.length > 0) {
    for (const name of missing) printNote(`missing secret: ${name}`);
    throw new CommandFailure(
      'Store these under Settings, or set the variables and list them in SERV_SPEC_SECRETS; nothing was run.',
    );
  }
  const found = await compilation(loaded, { specRoot: folder, trusted, secrets });
  printDiagnostics(found.diagnostics, printNote);
  if (found.ok) return;
  const advice = trusted
    ? ''
    : ' Code of a bundle runs when its signer is known (--trust-key) or with --trust.';
  throw new CommandFailure(`The bundle cannot run here.${advice}`);
}

async function runIn(
  folder: string,
  bundle: OpenBundle,
  options: RunBundleOptions,
): Promise<number> {
  await unpackBundle(bundle, folder);
  const trusted = options.trust === true || bundle.signer?.expected === true;
  const document = documentIn(bundle);
  const { environment } = bundle.manifest;
  await requireReady(loadSpec({ base: document, environment }), {
    folder,
    trusted,
    data: options.data,
  });
  const local = await openLocalPlatform({
    data: options.data,
    background: true,
    trusted,
    specRoot: folder,
  });
  if (local.kind === 'served') refuseServed(local.note);
  const target = { url: local.platform.url, apiKey: local.key, place: 'this computer' };
  const session = openSession(target, readCliSettings(process.env), () => local.stop());
  try {
    const body = {
      input: options.input ?? '',
      spec: document,
      target: options.target ?? 'workflow',
      environment,
      metadata: {},
      async_mode: true,
    };
    const started = readRunAnswer(await session.ask(createRun, { body }));
    const ended = await attend(session, started.run_id, options);
    return await printOutcome(session, ended, options.json);
  } finally {
    await session.close();
  }
}

/**
 * `bundle run`: proves a bundle, says what is missing, and runs it on this computer. Its code runs
 * only when the person named its signer's key, or trusts it outright.
 */
export async function runBundle(file: string, options: RunBundleOptions): Promise<number> {
  const bundle = await told(() => {
    const { trustKey } = options;
    const key = trustKey === undefined ? undefined : readPublicKey(readTextFile(trustKey));
    return openBundle(readBundleFile(file), key);
  });
  printNote(signerLine(bundle.signer));
  const { folder, passing } = prepareFolder(options.into);
  try {
    return await runIn(folder, bundle, options);
  } finally {
    if (passing) rmSync(folder, { recursive: true, force: true });
  }
}
