import path from 'node:path';
import { sourceOfFile } from '../../gaps/report/source-of-file.ts';
import type { Analysis } from '../../importers/analysis.ts';
import { type LinkFile, linkWorkflows } from '../../importers/link/link-workflows.ts';
import { isJsonObject, isObject, type JsonObject } from '../../kernel/json.ts';
import { CommandFailure } from '../command-failure.ts';
import { convertFile } from '../import/import-file.ts';
import { printFailure, printJson, printLine } from '../output.ts';
import { readTextFile } from '../read-text-file.ts';
import { printTable } from '../table.ts';
import type { Rehearsal, RehearsedRun } from './rehearsal-report.ts';
import { createRehearsals } from './run-rehearsal.ts';

export interface RehearseOptions {
  readonly trigger?: string;
  readonly items?: string;
  readonly mock?: string;
  readonly json?: boolean;
  /** Exports of workflows that it calls. */
  readonly with?: readonly string[];
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readTextFile(file));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandFailure(`${file} is no JSON.`);
    throw error;
  }
}

function readItems(file: string): readonly unknown[] {
  const list = jsonIn(file);
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw new CommandFailure(`${file} must hold a list of objects: items, or their fields.`);
}

function readMocks(file: string): Readonly<Record<string, readonly JsonObject[]>> {
  const mocks = jsonIn(file);
  const lists = isObject(mocks) ? Object.entries(mocks) : [];
  return Object.fromEntries(
    lists.map(([name, items]) => {
      if (Array.isArray(items) && items.every(isJsonObject)) return [name, items];
      throw new CommandFailure(`${file} must hold a list of objects for '${name}'.`);
    }),
  );
}

/** What an export of n8n pins on its nodes; a Dify app pins nothing. */
function pinnedIn(file: string): JsonObject {
  if (sourceOfFile(path.basename(file), readTextFile(file)) !== 'n8n') return {};
  const source = jsonIn(file);
  const pinned = isObject(source) ? source['pinData'] : undefined;
  return isJsonObject(pinned) ? pinned : {};
}

function nodeText({ node, answered_by }: RehearsedRun): string {
  return answered_by === undefined ? node : `${node} (${answered_by})`;
}

function gaveText({ outputs }: RehearsedRun): string {
  return outputs.main.map((items) => (items === null ? '–' : String(items.length))).join(', ');
}

function firstText({ outputs }: RehearsedRun): string {
  const item = outputs.main.flatMap((items) => items ?? [])[0];
  return item === undefined ? '' : JSON.stringify(item.json);
}

function printRehearsal({ runs, error, gaps }: Rehearsal): void {
  printTable(runs, [
    { head: 'NODE', show: nodeText },
    { head: 'RUN', show: ({ run }) => String(run) },
    { head: 'ITEMS', show: gaveText },
    { head: 'FIRST', show: firstText },
  ]);
  for (const { severity, kind, source_label } of gaps) {
    if (severity !== 'info') printLine(`${severity}: ${kind} (${source_label})`);
  }
  if (error !== null) printFailure(`${error.node ?? 'The run'}: ${error.message}`);
}

/** The import of an export, with the workflows that it calls among other files. */
function convertedWith(file: string, { json, with: called = [] }: RehearseOptions): Analysis {
  const convert = (one: string): LinkFile => {
    return { file: one, analysis: convertFile(one, json ? { json: true } : {}) };
  };
  const [linked] = linkWorkflows([file, ...called].map(convert));
  if (linked === undefined) throw new TypeError('one file is always there');
  return linked.analysis;
}

/** `rehearse`: an export imported and run in memory, with what is pinned in it and nothing else. */
export async function rehearse(file: string, options: RehearseOptions): Promise<number> {
  const analysis = convertedWith(file, options);
  const rehearsals = createRehearsals();
  try {
    const rehearsal = await rehearsals.rehearse({
      analysis,
      pinned: pinnedIn(file),
      trigger: options.trigger,
      items: options.items === undefined ? undefined : readItems(options.items),
      mocks: options.mock === undefined ? {} : readMocks(options.mock),
    });
    if (options.json) printJson(rehearsal);
    else printRehearsal(rehearsal);
    return rehearsal.error === null ? 0 : 1;
  } finally {
    await rehearsals.close();
  }
}
