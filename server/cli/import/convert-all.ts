import { availableParallelism } from 'node:os';
import {
  acceptedFile,
  type FileReport,
  type ReportRefusal,
  refusedFile,
} from '../../gaps/report/import-report.ts';
import { sourceOfFile } from '../../gaps/report/source-of-file.ts';
import type { Conversion } from '../../importers/analysis.ts';
import { draftName } from '../../importers/draft-name.ts';
import {
  type CalledFile,
  countBlocking,
  type LinkFile,
  linkWorkflows,
} from '../../importers/link/link-workflows.ts';
import {
  type AnalysisThreads,
  createAnalysisThreads,
} from '../../studio/imports/analysis-threads.ts';
import {
  convertTogether,
  type DraftAnalysis as WithoutLedger,
} from '../../studio/imports/analyze-together.ts';
import type { SourceFile } from './source-file.ts';

export interface ConvertOptions {
  readonly conversion: Conversion;
  /** The tool that every file comes from; without it each is judged by its name. */
  readonly source: string | undefined;
  onProgress(done: number, total: number): void;
}

/** What a file became, the draft as text only. */
type DraftAnalysis = WithoutLedger & { readonly ledger: null };

/** One file of the import: its report and, when it was accepted, what it became. */
export interface ConvertedFile {
  readonly report: FileReport;
  readonly analysis: DraftAnalysis | undefined;
}

type Outcome =
  | { readonly source: string; readonly analysis: DraftAnalysis }
  | { readonly source: string | null; readonly refusal: ReportRefusal };

/** Sources that wait for a thread: enough that none stands idle, few enough to hold in memory. */
const WAITING_PER_THREAD = 3;
/** Files that may be begun for each that may wait, counted from the first that is not finished. */
const AHEAD = 2;
/** What one file needs while it is read: more takes memory in each thread and saves no time. */
const YOUNG_MB = 12;

async function convertOne(
  threads: AnalysisThreads,
  file: SourceFile,
  options: ConvertOptions,
): Promise<Outcome> {
  const refused = (source: string | null, refusal: Omit<ReportRefusal, 'details'>): Outcome => ({
    source,
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
  const outcome = await threads.convert({ source, raw, conversion, ledger: false });
  if (outcome.ok) {
    const { kept: _none, ...analysis } = outcome;
    return { source, analysis: { ...analysis, ledger: null } };
  }
  const { code, message, details } = outcome;
  return { source, refusal: { code, message, details: details ?? {} } };
}

/**
 * Converts all files, and hands each over in the order of the files. What one file takes long for
 * holds the others up, so that few are finished and wait for it.
 */
async function analyzeAll(
  files: readonly SourceFile[],
  options: ConvertOptions,
  onOutcome: (file: SourceFile, outcome: Outcome) => void,
): Promise<void> {
  const count = Math.max(1, Math.min(availableParallelism(), Math.ceil(files.length / 8)));
  // What is read here would stand between the threads and their next files, and stay in this memory.
  const here = count > 1 ? { small: 0 } : {};
  const threads = createAnalysisThreads({ threads: count, youngMb: YOUNG_MB, ...here });
  const early = new Map<number, Outcome>();
  const queue = files.entries();
  const workers = count * WAITING_PER_THREAD;
  let done = 0;
  let next = 0;
  let moved = Promise.withResolvers<void>();
  const handOver = (): void => {
    for (;;) {
      const file = files[next];
      const outcome = early.get(next);
      if (file === undefined || outcome === undefined) break;
      early.delete(next);
      next += 1;
      onOutcome(file, outcome);
    }
    moved.resolve();
    moved = Promise.withResolvers();
  };
  const work = async (): Promise<void> => {
    for (const [index, file] of queue) {
      while (index >= next + workers * AHEAD) await moved.promise;
      early.set(index, await convertOne(threads, file, options));
      done += 1;
      options.onProgress(done, files.length);
      handOver();
    }
  };
  try {
    await Promise.all(Array.from({ length: workers }, work));
  } finally {
    await threads.close();
  }
}

/** Gives each draft a name of its own; of equal names the later ones are numbered. */
function draftNames(): (path: string, analysis: DraftAnalysis) => string {
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

interface DraftFile {
  readonly path: string;
  readonly source: string;
  readonly draft: string;
}

function accepted(file: DraftFile, analysis: DraftAnalysis): ConvertedFile {
  const types = new Map(analysis.canvas.nodes.map((node) => [node.source_id, node.type]));
  return { report: acceptedFile(file, analysis, (id) => types.get(id)), analysis };
}

/**
 * What is held of a file for those that call it. Its draft is made once more when one does: few files
 * are called, and the drafts of all would be most of what an import holds.
 */
function calledFile(
  offered: SourceFile,
  source: string,
  conversion: Conversion,
  { origin, gaps, output_sha256 }: DraftAnalysis,
): CalledFile {
  const draft = (): string | undefined => {
    const raw = offered.read();
    if (typeof raw !== 'string') return undefined;
    const again = convertTogether({ source, raw, conversion, ledger: false });
    if ('refusal' in again) return undefined;
    return again.draft.output_sha256 === output_sha256 ? again.draft.spec_yaml : undefined;
  };
  return { file: offered.path, origin, draft, blocking: countBlocking(gaps) };
}

/** What waits until all files were read, since it may call one of them. */
interface Caller extends LinkFile<DraftAnalysis> {
  readonly index: number;
  readonly offered: SourceFile;
  readonly draft: DraftFile;
}

/** What a caller keeps of a file; `offered` is the file itself. */
type Take<T> = (file: ConvertedFile, offered: SourceFile) => T;

/** Takes outcomes in the order of the files, and holds of each only what linking needs. */
class Batch<T> {
  private readonly take: Take<T>;
  private readonly conversion: Conversion;
  private readonly taken: T[] = [];
  private readonly nameOf = draftNames();
  private readonly callers: Caller[] = [];
  private readonly among: (Caller | CalledFile)[] = [];
  private count = 0;

  constructor(take: Take<T>, conversion: Conversion) {
    this.take = take;
    this.conversion = conversion;
  }

  add(offered: SourceFile, outcome: Outcome): void {
    const index = this.count;
    this.count += 1;
    const { path } = offered;
    if ('refusal' in outcome) {
      const report = refusedFile({ path, source: outcome.source }, outcome.refusal);
      this.taken[index] = this.take({ report, analysis: undefined }, offered);
      return;
    }
    const { source, analysis } = outcome;
    const draft = { path, source, draft: this.nameOf(path, analysis) };
    if (analysis.calls.length > 0) {
      const caller = { index, offered, draft, file: path, analysis };
      this.callers.push(caller);
      this.among.push(caller);
      return;
    }
    this.among.push(calledFile(offered, source, this.conversion, analysis));
    this.taken[index] = this.take(accepted(draft, analysis), offered);
  }

  /** Resolves the calls; answers what was taken, in the order of the files. */
  end(): readonly T[] {
    for (const [i, { analysis }] of linkWorkflows(this.callers, this.among).entries()) {
      const caller = this.callers[i];
      if (caller === undefined) continue;
      const { index, offered, draft } = caller;
      this.taken[index] = this.take(accepted(draft, analysis), offered);
    }
    return this.taken;
  }
}

/**
 * Converts files in parallel and resolves the calls between them. Each file is given to `take` once,
 * as soon as it is finished and in no certain order, and is then forgotten; the answers have the
 * order of the files. They are the same whatever the number of threads.
 */
export async function convertAll<T>(
  offered: readonly SourceFile[],
  options: ConvertOptions,
  take: Take<T>,
): Promise<readonly T[]> {
  const batch = new Batch(take, options.conversion);
  await analyzeAll(withOwnPaths(offered), options, (file, outcome) => batch.add(file, outcome));
  return batch.end();
}
