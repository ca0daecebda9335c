import { existsSync } from 'node:fs';
import path from 'node:path';
import { chooseDataFolder } from '../../host/data-folder.ts';
import { loadKeyring } from '../../studio/analyses/keyring.ts';
import { readStudioConfig } from '../../studio/config.ts';
import { changeAsOperator } from '../../studio/host/host-deps.ts';
import { CommandFailure } from '../command-failure.ts';
import { printFacts, printJson } from '../output.ts';
import { type OperatorOptions, onStudioFiles, onStudioStore } from './studio-store.ts';

export interface KeyOptions {
  readonly data?: string;
  readonly json?: boolean;
}

function stateOf(options: KeyOptions) {
  const folder = path.join(chooseDataFolder(options.data, process.env), 'studio');
  const configured = readStudioConfig(process.env).analysisKeys;
  const exists = existsSync(path.join(folder, 'analysis-keyring.json'));
  return { folder, configured, exists };
}

function tell(options: KeyOptions): number {
  const { folder, configured, exists } = stateOf(options);
  const source = configured === undefined ? 'file' : 'environment';
  const keyring = exists || configured !== undefined ? loadKeyring(folder, configured) : undefined;
  const facts = {
    state: keyring === undefined ? 'uninitialized' : 'stable',
    source,
    active_key_id: keyring?.activeId ?? null,
    key_ids: keyring?.keyIds ?? [],
  };
  if (options.json) printJson(facts);
  else printFacts({ ...facts, key_ids: facts.key_ids.join(', ') });
  return 0;
}

/** `studio keys status`: by id; a key itself is never shown. */
export function status(options: KeyOptions): number {
  return onStudioFiles(() => tell(options));
}

/** `studio keys init`: makes the first key. @throws CommandFailure when there is one. */
export async function init(options: OperatorOptions): Promise<number> {
  return onStudioStore(options, async (deps) => {
    const { folder, configured, exists } = stateOf(options);
    if (exists || configured !== undefined) {
      throw new CommandFailure('There are analysis keys already; "studio keys status" names them.');
    }
    await changeAsOperator(deps, 'host.init_analysis_keys', async () => {
      const { activeId } = loadKeyring(folder, undefined);
      return { answer: undefined, project_id: null, detail: { key_id: activeId } };
    });
    return tell(options);
  });
}
