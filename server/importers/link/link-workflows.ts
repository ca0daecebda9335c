import type { JsonObject } from '../../kernel/json.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { embedWorkflow, hasProgram, waitsForPerson } from '../../spec/edit/embed-workflow.ts';
import { emitYaml } from '../../spec/yaml/emit-yaml.ts';
import { parseSpecText } from '../../spec/yaml/parse-yaml.ts';
import type { Analysis, Call, Gap, Origin } from '../analysis.ts';
import { toGaps } from '../gaps/gap-stream.ts';

/** A draft with more text than this is left as it is. */
const MAX_YAML = 1_048_576;

/** What linking reads and changes of an analysis; without a tree the draft is read from its text. */
export type Linkable = Pick<
  Analysis,
  'spec_yaml' | 'output_sha256' | 'gaps' | 'ledger' | 'calls' | 'origin'
> & { readonly spec?: JsonObject };

/** One converted file of an import of several. */
export interface LinkFile<A extends Linkable = Analysis> {
  /** Name of the file, for the gaps. */
  readonly file: string;
  readonly analysis: A;
}

/** All that callers need of a converted file which itself calls no other. */
export interface CalledFile {
  readonly file: string;
  readonly origin: Origin;
  /** The text of its draft, for the call that names it; undefined when the file is not as it was. */
  readonly draft: () => string | undefined;
  /** How many of its gaps are blocking. */
  readonly blocking: number;
  /** It was imported before and is a draft at this path: what it became since then counts. */
  readonly isDraft?: true;
}

/** What a call finds. */
interface Found {
  readonly file: string;
  readonly spec: JsonObject;
  readonly blocking: number;
  readonly isDraft: boolean;
}

type Callee =
  | { readonly found: Found }
  /** Why the call stays open. */
  | { readonly reason: string };

const GAP_KINDS: ReadonlySet<string> = new Set(['subworkflow', 'carried_as']);

function treeOf(spec_yaml: string): JsonObject {
  return parseSpecText(spec_yaml, 'yaml').value ?? {};
}

function specOf({ spec, spec_yaml }: Linkable): JsonObject {
  return spec ?? treeOf(spec_yaml);
}

/** Number of gaps that hold a draft back. */
export function countBlocking(gaps: readonly Gap[]): number {
  return gaps.filter(({ severity }) => severity === 'blocking').length;
}

class Linking<A extends Linkable> {
  private readonly among: readonly (LinkFile<A> | CalledFile)[];
  private readonly done = new Map<LinkFile<A>, LinkFile<A>>();
  private readonly open = new Set<LinkFile<A> | CalledFile>();

  constructor(among: readonly (LinkFile<A> | CalledFile)[]) {
    this.among = among;
  }

  link(file: LinkFile<A>): LinkFile<A> {
    const known = this.done.get(file);
    if (known !== undefined) return known;
    this.open.add(file);
    let { analysis } = file;
    for (const call of analysis.calls) {
      const callee = this.callee(file, call);
      if (callee !== undefined) analysis = apply(analysis, call, callee);
    }
    this.open.delete(file);
    const linked = { file: file.file, analysis };
    this.done.set(file, linked);
    return linked;
  }

  private callee(caller: LinkFile<A>, call: Call): Callee | undefined {
    const byId = this.named(caller, call, 'id');
    const [match, ...more] = byId.length > 0 ? byId : this.named(caller, call, 'name');
    if (match === undefined) return undefined;
    if (more.length > 0) {
      const names = [match, ...more].map((file) => file.file).join(', ');
      return { reason: `Several workflows may be meant: ${names}.` };
    }
    if (this.open.has(match)) return { reason: 'It leads back to this workflow.' };
    const found = this.found(match);
    if (found === undefined) return { reason: `"${match.file}" changed while it was imported.` };
    if (waitsForPerson(found.spec)) {
      return { reason: `"${match.file}" waits for a person, which a nested workflow cannot.` };
    }
    if (!hasProgram(found.spec)) return { reason: `"${match.file}" has no steps.` };
    return { found };
  }

  private found(match: LinkFile<A> | CalledFile): Found | undefined {
    const { file } = match;
    if (!('analysis' in match)) {
      const text = match.draft();
      return text === undefined
        ? undefined
        : { file, spec: treeOf(text), blocking: match.blocking, isDraft: match.isDraft === true };
    }
    const { analysis } = this.link(match);
    const blocking = countBlocking(analysis.gaps);
    return { file, spec: specOf(analysis), blocking, isDraft: false };
  }

  private named(caller: LinkFile<A>, call: Call, key: 'id' | 'name'): (LinkFile<A> | CalledFile)[] {
    return this.among.filter((file) => {
      const { origin } = 'analysis' in file ? file.analysis : file;
      const word = origin[key];
      return file !== caller && word !== null && call.wanted.includes(word);
    });
  }
}

function gapOf(analysis: Linkable, call: Call): Gap | undefined {
  return analysis.gaps.find(
    (gap) => gap.source_ref.source_id === call.source_id && GAP_KINDS.has(gap.kind),
  );
}

/** The gap of a call, told anew; a called draft that is not ready keeps it blocking. */
function newGap(gap: Gap, callee: Callee): Gap {
  const ref = gap.source_ref;
  const stepOf = (): string | null => gap.spec_ref;
  const said = `"${ref.source_label}" runs another workflow`;
  if ('reason' in callee) {
    return { ...gap, detail: `${gap.detail} ${callee.reason}` };
  }
  const { file, blocking, isDraft } = callee.found;
  const from = isDraft ? `which is the draft "${file}"` : `imported with it from "${file}"`;
  const held = `${said}, ${from}; the draft holds a copy as a component workflow`;
  const card =
    blocking > 0
      ? {
          ref,
          kind: 'subworkflow',
          detail: `${held}, which has ${blocking} blocking gap(s) of its own.`,
          todo: `Resolve the gaps of "${file}" and import ${isDraft ? 'this' : 'both'} again, or mend the copy.`,
        }
      : {
          ref,
          kind: 'carried_as',
          severity: 'manual' as const,
          detail: `${held}.`,
          todo: 'Change both when one changes.',
        };
  return toGaps([card], stepOf)[0] ?? gap;
}

function withGap(analysis: Linkable, old: Gap, made: Gap): Gap[] {
  const taken = analysis.gaps.some((gap) => gap !== old && gap.gap_id === made.gap_id);
  const gap = taken ? { ...made, gap_id: old.gap_id } : made;
  return analysis.gaps.map((other) => (other === old ? gap : other));
}

/** The ledger, naming the gap that stands in the place of the old one. */
function withIds({ gaps, ledger }: Linkable, old: Gap, now: readonly Gap[]): Analysis['ledger'] {
  const id = now[gaps.indexOf(old)]?.gap_id ?? old.gap_id;
  if (id === old.gap_id || ledger === null) return ledger;
  return ledger.map((entry) => {
    if (!entry.gaps.includes(old.gap_id)) return entry;
    return { ...entry, gaps: entry.gaps.map((one) => (one === old.gap_id ? id : one)) };
  });
}

function apply<A extends Linkable>(analysis: A, call: Call, callee: Callee): A {
  const old = gapOf(analysis, call);
  if (old === undefined) return analysis;
  const gaps = withGap(analysis, old, newGap(old, callee));
  const ledger = withIds(analysis, old, gaps);
  if ('reason' in callee) return { ...analysis, gaps, ledger };
  const spec = embedWorkflow(specOf(analysis), call.component, callee.found.spec);
  const spec_yaml = emitYaml(spec);
  if (spec_yaml.length > MAX_YAML) return analysis;
  return { ...analysis, spec, spec_yaml, output_sha256: sha256Hex(spec_yaml), gaps, ledger };
}

/**
 * Resolves the calls between workflows that are imported together (importers 14): the called
 * workflow comes into the draft of its caller as a component, with everything it needs. Order and
 * number of the files stay. `among` are all files that may be meant, in the order in which gaps name
 * them. A call whose file is not there, is ambiguous, leads back, or waits for a
 * person stays a gap.
 */
export function linkWorkflows<A extends Linkable>(
  files: readonly LinkFile<A>[],
  among: readonly (LinkFile<A> | CalledFile)[] = files,
): LinkFile<A>[] {
  const linking = new Linking(among);
  return files.map((file) => linking.link(file));
}
