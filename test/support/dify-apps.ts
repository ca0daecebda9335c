// Dify apps of the fixtures, rehearsed: each step's fields by its name.
import { readFileSync } from 'node:fs';
import type { Rehearsal } from '../../server/cli/rehearse/rehearsal-report.ts';
import type { Rehearsals } from '../../server/cli/rehearse/run-rehearsal.ts';
import type { Analysis } from '../../server/importers/analysis.ts';
import { analyze } from '../../server/importers/analyze.ts';
import type { JsonObject } from '../../server/items/item.ts';

const FOLDER = new URL('../fixtures/dify-apps/', import.meta.url);

export function difyApp(name: string): string {
  return readFileSync(new URL(`${name}.yml`, FOLDER), 'utf8');
}

export function importedApp(raw: string): Analysis {
  const outcome = analyze({ source: 'dify', raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

export interface RehearsedApp {
  readonly status: Rehearsal['status'];
  readonly error: Rehearsal['error'];
  /** The fields that the last run of a step gave, whatever its output. */
  readonly last: Readonly<Record<string, JsonObject | undefined>>;
  /** The names of the steps in the order in which they ran. */
  readonly order: readonly string[];
}

/** Rehearses an app; `pinned` answers for its models. */
export async function rehearsedApp(
  rehearsals: Rehearsals,
  raw: string,
  input: JsonObject,
  pinned: Readonly<Record<string, string>> = {},
): Promise<RehearsedApp> {
  const answers = Object.entries(pinned).map(([name, output]) => [name, [{ output }]]);
  const { status, error, runs } = await rehearsals.rehearse({
    analysis: importedApp(raw),
    pinned: Object.fromEntries(answers),
    trigger: undefined,
    items: [{ json: input }],
  });
  const last = runs.map(({ node, outputs: { main } }) => {
    const items = main.find((list) => list !== null && list.length > 0);
    return [node, items?.[0]?.json] as const;
  });
  return { status, error, last: Object.fromEntries(last), order: runs.map(({ node }) => node) };
}
