import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CAUSE_TEXTS, GAP_CAUSES } from '../../server/gaps/report/gap-causes.ts';
import {
  acceptedFile,
  type FileReport,
  refusedFile,
} from '../../server/gaps/report/import-report.ts';
import { sourceOfFile } from '../../server/gaps/report/source-of-file.ts';
import { analyze } from '../../server/importers/analyze.ts';
import { type LinkFile, linkWorkflows } from '../../server/importers/link/link-workflows.ts';
import { loadSpec } from '../../server/spec/load/load-spec.ts';
import { validateSpec } from '../../server/spec/rules/validate.ts';
import { quantile } from './harness.ts';

/** What the importers make of one folder of exports. */
export interface ImportSet {
  readonly name: string;
  readonly reports: readonly FileReport[];
  /** Accepted files whose draft has no error. */
  readonly valid: number;
  /** Milliseconds for each file, from its text to draft, gaps and suggestions. */
  readonly times: readonly number[];
}

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures');

function isValid(spec: LinkFile['analysis']['spec']): boolean {
  const loaded = loadSpec({ base: spec });
  if (loaded.spec === undefined) return false;
  return validateSpec(loaded.spec).every(({ severity }) => severity !== 'error');
}

/** Converts every export of a folder of the fixtures, calls between them resolved. */
export function importSet(name: string, isHonest: (file: string) => boolean): ImportSet {
  const folder = path.join(FIXTURES, name);
  const files = readdirSync(folder).filter(
    (file) => /\.(json|ya?ml)$/.test(file) && isHonest(file),
  );
  const times: number[] = [];
  const reports: FileReport[] = [];
  const accepted: (LinkFile & { source: string })[] = [];
  for (const file of files.sort()) {
    const raw = readFileSync(path.join(folder, file), 'utf8');
    const source = sourceOfFile(file, raw) ?? 'n8n';
    const start = performance.now();
    const outcome = analyze({ source, raw, conversion: 'extended' });
    times.push(performance.now() - start);
    if (outcome.ok) accepted.push({ file, analysis: outcome, source });
    else {
      const { code, message, details = {} } = outcome;
      reports.push(refusedFile({ path: file, source }, { code, message, details }));
    }
  }
  const linked = linkWorkflows(accepted);
  for (const { file, analysis } of linked) {
    const types = new Map(analysis.canvas.nodes.map((node) => [node.source_id, node.type]));
    const source = analysis.summary.source;
    reports.push(
      acceptedFile({ path: file, source, draft: null }, analysis, (id) => types.get(id)),
    );
  }
  const valid = linked.filter(({ analysis }) => isValid(analysis.spec)).length;
  return { name, reports, valid, times };
}

const acceptedOf = (set: ImportSet): readonly FileReport[] =>
  set.reports.filter(({ status }) => status === 'accepted');

/** Share of `part` in `whole`, in percent; none of none is all. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}

export function acceptedShare(set: ImportSet): number {
  return percent(acceptedOf(set).length, set.reports.length);
}

export function validShare(set: ImportSet): number {
  return percent(set.valid, acceptedOf(set).length);
}

/** Files that have at least one blocking gap of these causes, in percent of the accepted ones. */
export function causeShare(set: ImportSet, causes: readonly string[]): number {
  const accepted = acceptedOf(set);
  const hit = accepted.filter((file) => file.causes.some(({ cause }) => causes.includes(cause)));
  return percent(hit.length, accepted.length);
}

function perFile(set: ImportSet, cause: string): string {
  const accepted = acceptedOf(set);
  const all = accepted.flatMap((file) => file.causes.filter((found) => found.cause === cause));
  const sum = all.reduce((total, { count }) => total + count, 0);
  return `${(sum / Math.max(1, accepted.length)).toFixed(2)} (${percent(all.length, accepted.length).toFixed(0)} %)`;
}

const share = (value: number): string => `${value.toFixed(1)} %`;

/** The table: one column for each set. */
export function importTable(sets: readonly ImportSet[]): string {
  const rows: (readonly [string, (set: ImportSet) => string])[] = [
    ['files', (set) => String(set.reports.length)],
    ['accepted', (set) => share(acceptedShare(set))],
    [
      'converted with no blocking gap',
      (set) =>
        share(
          percent(acceptedOf(set).filter((file) => file.blocking === 0).length, set.reports.length),
        ),
    ],
    ...GAP_CAUSES.map(
      (cause) =>
        [
          `blocking gaps per file (share of files): ${CAUSE_TEXTS[cause].title.toLowerCase()}`,
          (set: ImportSet) => perFile(set, cause),
        ] as const,
    ),
    ['flow shape or other blocks', (set) => share(causeShare(set, ['flow_shape', 'other']))],
    ['specs valid', (set) => share(validShare(set))],
    ['median ms', (set) => quantile(set.times, 0.5).toFixed(2)],
    ['p95 ms', (set) => quantile(set.times, 0.95).toFixed(2)],
  ];
  const lines = [
    ['', ...sets.map(({ name }) => name)],
    ['---', ...sets.map(() => '---:')],
    ...rows.map(([head, value]) => [head, ...sets.map(value)]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
