// One way to reach each code about functions that runs take along.
import path from 'node:path';
import { type Case, resume, workflow } from './errors-world.ts';
import { type Answer, startTestPlatform } from './platform.ts';
import { projectTree } from './project-tree.ts';
import { checkedSpec } from './specs.ts';
import { openStored } from './stored.ts';

const functions = (files: Readonly<Record<string, string>> = {}): string =>
  projectTree({ 'functions/work.ts': 'export const it = () => 1;\n', ...files });

/** Calls `work.it` of the project's folder on a platform of its own. */
async function withFunctions(
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const q = await startTestPlatform({ env, specRoot: functions(files), trusted: true });
  try {
    return await q.post('/v1/runs', { input: 'x', spec: workflow('function') });
  } finally {
    await q.stop();
  }
}

/** Goes on with a run whose functions were changed in the store since. */
async function changedFunctions(): Promise<Answer> {
  const of = { specRoot: functions(), trusted: true, file: path.join(projectTree({}), 'of.db') };
  const before = await startTestPlatform(of);
  const { body } = await before.post('/v1/runs', { input: 'x', spec: checkedSpec() });
  await before.stop();
  const db = await openStored(of.file);
  db.exec("UPDATE code_bundles SET content = 'x'");
  await db.close();
  const after = await startTestPlatform(of);
  try {
    return await resume(body, {}, after);
  } finally {
    await after.stop();
  }
}

export const CODE_CASES: readonly Case[] = [
  {
    code: 'code_not_trusted',
    what: 'a node that trusts another signer only',
    act: () => withFunctions({ SERV_CODE_SIGNERS: 'a'.repeat(64) }),
  },
  {
    code: 'code_too_large',
    what: 'functions beyond the setting',
    act: () => withFunctions({ SERV_CODE_MAX_MB: '1' }, { 'functions/data.txt': 'x'.repeat(2e6) }),
  },
  {
    code: 'code_unusable',
    what: 'functions that were changed in the store',
    act: changedFunctions,
  },
];
