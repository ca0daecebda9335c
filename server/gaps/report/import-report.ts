import { GapSeverity } from '../../contract/studio/gaps.ts';
import { CAUSE_TEXTS, causeOf, GAP_CAUSES, type GapCause } from './gap-causes.ts';

export interface KindCount {
  readonly kind: string;
  readonly severity: GapSeverity;
  readonly count: number;
}

/** Why a file was not converted, and where in it; `details` holds what is known of the place. */
export interface ReportRefusal {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What became of one file of an import of several. */
export interface FileReport {
  /** As the user sees it: folders inside a dropped folder or an archive with `/` between. */
  readonly path: string;
  readonly source: string | null;
  readonly status: 'accepted' | 'refused';
  readonly draft: string | null;
  readonly family: 'sequential' | 'graph' | null;
  readonly nodes: number;
  readonly edges: number;
  readonly tools: number;
  readonly credentials: number;
  readonly blocking: number;
  readonly manual: number;
  readonly info: number;
  /** By severity, then by number, then by name. */
  readonly kinds: readonly KindCount[];
  /** Blocking gaps by cause, in the order of `GAP_CAUSES`. */
  readonly causes: readonly { readonly cause: GapCause; readonly count: number }[];
  /** The first thing to do. */
  readonly first: string;
  readonly refusal: ReportRefusal | null;
}

/** What a report needs of a converted file; the shapes of the importer and of the wire both fit. */
export interface Converted {
  readonly summary: {
    readonly workflow_family: 'sequential' | 'graph' | null;
    readonly node_count: number;
    readonly edge_count: number;
    readonly tool_count: number;
    readonly credential_count: number;
  };
  readonly gaps: readonly {
    readonly kind: string;
    readonly severity: GapSeverity;
    readonly source_ref: { readonly source_id: string };
  }[];
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function countKinds(gaps: Converted['gaps']): KindCount[] {
  const counts = new Map<string, KindCount>();
  for (const { kind, severity } of gaps) {
    const key = `${severity} ${kind}`;
    counts.set(key, { kind, severity, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort(
    (a, b) =>
      GapSeverity.options.indexOf(a.severity) - GapSeverity.options.indexOf(b.severity) ||
      b.count - a.count ||
      byText(a.kind, b.kind),
  );
}

function countCauses(
  gaps: Converted['gaps'],
  typeOf: (sourceId: string) => string | undefined,
): FileReport['causes'] {
  const counts = new Map<GapCause, number>();
  for (const gap of gaps) {
    if (gap.severity !== 'blocking') continue;
    const cause = causeOf(gap.kind, typeOf(gap.source_ref.source_id));
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return GAP_CAUSES.flatMap((cause) => {
    const count = counts.get(cause);
    return count === undefined ? [] : [{ cause, count }];
  });
}

/** Its steps stand side by side, so that a run does none after the other. */
function isUnconnected({
  node_count,
  edge_count,
}: Pick<Converted['summary'], 'node_count' | 'edge_count'>): boolean {
  return node_count > 1 && edge_count === 0;
}

function firstThing(
  summary: Converted['summary'],
  causes: FileReport['causes'],
  manual: number,
): string {
  const [top] = causes;
  if (summary.node_count === 0)
    return 'It holds no step that runs: import the workflow it is from.';
  if (isUnconnected(summary)) {
    return `Nothing connects its ${summary.node_count} steps: connect them first.`;
  }
  if (top !== undefined) return `${CAUSE_TEXTS[top.cause].todo(top.count)}.`;
  if (manual === 0) return 'Nothing blocks it: open the draft and run it.';
  return `Nothing blocks it: review ${manual === 1 ? 'one point' : `${manual} points`} and run it.`;
}

/** The report of a file that became a draft; `typeOf` gives the source's type name of an element. */
export function acceptedFile(
  file: { readonly path: string; readonly source: string; readonly draft: string | null },
  converted: Converted,
  typeOf: (sourceId: string) => string | undefined,
): FileReport {
  const { summary, gaps } = converted;
  const count = (severity: GapSeverity): number =>
    gaps.filter((gap) => gap.severity === severity).length;
  const causes = countCauses(gaps, typeOf);
  const manual = count('manual');
  return {
    ...file,
    status: 'accepted',
    family: summary.workflow_family,
    nodes: summary.node_count,
    edges: summary.edge_count,
    tools: summary.tool_count,
    credentials: summary.credential_count,
    blocking: count('blocking'),
    manual,
    info: count('info'),
    kinds: countKinds(gaps),
    causes,
    first: firstThing(summary, causes, manual),
    refusal: null,
  };
}

/** The report of a file that was not converted. */
export function refusedFile(
  file: { readonly path: string; readonly source: string | null },
  refusal: ReportRefusal,
): FileReport {
  const none = { nodes: 0, edges: 0, tools: 0, credentials: 0, blocking: 0, manual: 0, info: 0 };
  return {
    ...file,
    status: 'refused',
    draft: null,
    family: null,
    ...none,
    kinds: [],
    causes: [],
    first: 'Mend the file, or export it again.',
    refusal,
  };
}

export interface CauseCount {
  readonly cause: GapCause;
  readonly title: string;
  /** Files that it blocks. */
  readonly files: number;
  readonly gaps: number;
  /** Files that nothing else blocks. */
  readonly alone: number;
}

export interface ImportsSummary {
  readonly files: number;
  readonly accepted: number;
  readonly refused: number;
  /** Files whose draft can run as it is. */
  readonly ready: number;
  /** The most files first. */
  readonly causes: readonly CauseCount[];
  /** Path of the file to begin with: a workflow of several steps with the least in its way. */
  readonly start_with: string | null;
}

function causeCount(files: readonly FileReport[], cause: GapCause): CauseCount {
  const hit = files.filter((file) => file.causes.some((found) => found.cause === cause));
  const gaps = hit.flatMap((file) => file.causes.filter((found) => found.cause === cause));
  return {
    cause,
    title: CAUSE_TEXTS[cause].title,
    files: hit.length,
    gaps: gaps.reduce((sum, { count }) => sum + count, 0),
    alone: hit.filter((file) => file.causes.length === 1).length,
  };
}

/** True for a draft that can run as it is: it has steps, they are connected, and nothing blocks it. */
export function isReady(file: FileReport): boolean {
  const { status, blocking, nodes: node_count, edges: edge_count } = file;
  const summary = { node_count, edge_count };
  return status === 'accepted' && blocking === 0 && node_count > 0 && !isUnconnected(summary);
}

/** A single step, or steps that nothing connects, are no workflow that is near to a run. */
function isLoose(file: FileReport): boolean {
  return file.nodes <= 1 || file.edges === 0;
}

function rank(file: FileReport): number {
  if (file.status === 'refused') return 3;
  if (isReady(file)) return 0;
  return isLoose(file) ? 2 : 1;
}

/**
 * Files in the order in which to work on them: what runs as it is, then the nearest to a run, then
 * those whose steps nothing connects, refused ones last.
 */
export function byEffort(a: FileReport, b: FileReport): number {
  // Of two that are as far, the larger one is worth more.
  return (
    rank(a) - rank(b) ||
    a.blocking - b.blocking ||
    a.manual - b.manual ||
    b.nodes - a.nodes ||
    byText(a.path, b.path)
  );
}

/** What all files together come to. */
export function summarizeImports(files: readonly FileReport[]): ImportsSummary {
  const accepted = files.filter((file) => file.status === 'accepted');
  return {
    files: files.length,
    accepted: accepted.length,
    refused: files.length - accepted.length,
    ready: accepted.filter(isReady).length,
    causes: GAP_CAUSES.map((cause) => causeCount(accepted, cause))
      .filter((cause) => cause.files > 0)
      .sort((a, b) => b.files - a.files || b.gaps - a.gaps || byText(a.cause, b.cause)),
    start_with: accepted.toSorted(byEffort)[0]?.path ?? null,
  };
}

/** The summary in sentences, the most important first. */
export function summarySentences(summary: ImportsSummary): string[] {
  const { files, accepted, refused, ready, causes, start_with } = summary;
  const said = [
    `${accepted} of ${files} ${files === 1 ? 'file' : 'files'} imported, ${ready} ready to run${refused === 0 ? '' : `, ${refused} refused`}.`,
  ];
  const top = causes.slice(0, 3).map(({ title, files: count }) => `${title} (${count})`);
  if (top.length > 0) said.push(`What blocks most files: ${top.join(', ')}.`);
  const alone = causes.toSorted((a, b) => b.alone - a.alone)[0];
  if (alone !== undefined && alone.alone > 0) {
    said.push(
      `${alone.alone} ${alone.alone === 1 ? 'is' : 'are'} blocked by one cause only: ${alone.title}.`,
    );
  }
  if (start_with !== null) said.push(`Start with ${start_with}.`);
  return said;
}
