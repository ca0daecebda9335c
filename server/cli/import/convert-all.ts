import { availableParallelism } from 'node:os';
import {
  acceptedFile,
  type FileReport,
  type ReportRefusal,
  refusedFile,
} from '../../gaps/report/import-report.ts';
import { sourceOfFile } from '../../gaps/report/source-of-file.ts';
import type { Analysis, AnalyzeOutcome, Conversion } from '../../importers/analysis.ts';
import { draftName } from '../../importers/draft-name.ts';
import { type LinkFile, linkWorkflows } from '../../importers/link/link-workflows.ts';
import { parseSpecText } from '../../spec/yaml/parse-yaml.ts';
import {
  type AnalysisThreads,
  createAnalysisThreads,
} from '../../studio/imports/analysis-threads.ts';
import type { SourceFile } from './source-file.ts';

export interface ConvertOptions {
  readonly conversion: Conversion;
  /** The tool that every file comes from; without it each is judged by its name. */
  readonly source: string | undefined;
  onProgress(done: number, total: number): void;
}

/** One file of the import: its report and, when it was accepted, what it became. */
export interface ConvertedFile {
  readonly report: FileReport;
  readonly analysis: Analysis | undefined;
}

interface Outcome {
  readonly source: string | null;
  readonly analysis: Analysis | undefined;
  readonly refusal: ReportRefusal | undefined;
}

/** Sources that wait for a thread: enough that none stands idle, few enough to hold in memory. */
const WAITING_PER_THREAD = 3;

/** The analysis with its draft as text; the tree is read from it for the few that call another file. */
function withoutTree(analysis: Analysis): Analysis {
  const { spec: _tree, ...kept } = analysis;
  return {
    ...kept,
    get spec() {
      return parseSpecText(kept.spec_yaml, 'yaml').value ?? {};
    },
  };
}

function toOutcome(source: string, outcome: AnalyzeOutcome): Outcome {
  if (outcome.ok) return { source, analysis: withoutTree(outcome), refusal: undefined };
  const { code, message, details } = outcome;
  return { source, analysis: undefined, refusal: { code, message, details: details ?? {} } };
}

async function convertOne(
  threads: AnalysisThreads,
  file: SourceFile,
  options: ConvertOptions,
): Promise<Outcome> {
  const refused = (source: string | null, refusal: Omit<ReportRefusal, 'details'>): Outcome => ({
    source,
    analysis: undefined,
    refusal: { ...refusal, details: {} },
  });
  const raw = file.read();
  if (typeof raw !== 'string') return refused(options.source ?? null, raw);
  const source = options.source ?? sourceOfFile(file.path, raw);
  if (source === undefined) {
    return refused(null, {
      code: 'source_unknown',
      message: 'Neither name nor content says which tool the file is from; name it with --source.',
    });
  }
  const { conversion } = options;
  return toOutcome(source, await threads.analyze({ source, raw, conversion, ledger: false }));
}

async function analyzeAll(
  files: readonly SourceFile[],
  options: ConvertOptions,
): Promise<Outcome[]> {
  const count = Math.max(1, Math.min(availableParallelism(), Math.ceil(files.length / 8)));
  const threads = createAnalysisThreads(count);
  const outcomes: Outcome[] = new Array(files.length);
  const queue = files.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [index, file] of queue) {
      outcomes[index] = await convertOne(threads, file, options);
      done += 1;
      options.onProgress(done, files.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: count * WAITING_PER_THREAD }, work));
  } finally {
    await threads.close();
  }
  return outcomes;
}

/** The outcomes with the calls between their workflows resolved. */
function link(files: readonly SourceFile[], outcomes: readonly Outcome[]): Map<string, Analysis> {
  const accepted = outcomes.flatMap(({ analysis }, index): LinkFile[] => {
    const file = files[index];
    return analysis === undefined || file === undefined ? [] : [{ file: file.path, analysis }];
  });
  return new Map(linkWorkflows(accepted).map(({ file, analysis }) => [file, analysis]));
}

/** Gives each draft a name of its own; of equal names the later ones are numbered. */
function draftNames(): (path: string, analysis: Analysis) => string {
  const taken = new Set<string>();
  return (path, analysis) => {
    const name = draftName(path, analysis.source_sha256);
    const stem = name.slice(0, -'.yaml'.length);
    let free = name;
    for (let count = 2; taken.has(free); count += 1) free = `${stem}-${count}.yaml`;
    taken.add(free);
    return free;
  };
}

/** Paths with equal ones numbered: the same file may be offered twice. */
function withOwnPaths(files: readonly SourceFile[]): SourceFile[] {
  const seen = new Map<string, number>();
  return files.map((file) => {
    const count = (seen.get(file.path) ?? 0) + 1;
    seen.set(file.path, count);
    return count === 1 ? file : { path: `${file.path} (${count})`, read: () => file.read() };
  });
}

/**
 * Converts files in parallel and resolves the calls between them. The result has the order of the
 * files and the same bytes whatever the number of threads.
 */
export async function convertAll(
  offered: readonly SourceFile[],
  options: ConvertOptions,
): Promise<ConvertedFile[]> {
  const files = withOwnPaths(offered);
  const outcomes = await analyzeAll(files, options);
  const linked = link(files, outcomes);
  const nameOf = draftNames();
  return files.map(({ path }, index) => {
    const outcome = outcomes[index];
    const source = outcome?.source ?? null;
    const analysis = linked.get(path);
    if (analysis !== undefined && source !== null) {
      const types = new Map(analysis.canvas.nodes.map((node) => [node.source_id, node.type]));
      const draft = nameOf(path, analysis);
      return {
        report: acceptedFile({ path, source, draft }, analysis, (id) => types.get(id)),
        analysis,
      };
    }
    const refusal = outcome?.refusal;
    if (refusal === undefined) throw new TypeError(`${path} came to nothing`);
    return { report: refusedFile({ path, source }, refusal), analysis: undefined };
  });
}
