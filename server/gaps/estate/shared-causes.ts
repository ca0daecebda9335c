import type { FileCause } from '../../contract/studio/estate.ts';
import { sha256Hex } from '../../kernel/sha256.ts';

/** A gap as far as its cause goes; the shapes of the importer and of the wire both fit. */
export interface CausedGap {
  readonly kind: string;
  readonly severity: 'blocking' | 'manual' | 'info';
  readonly title: string;
  readonly detail: string;
  readonly source_ref: { readonly source_id: string; readonly source_label: string };
}

/** The title without the name of its element. */
export function plainTitle(gap: CausedGap): string {
  const tail = `: ${gap.source_ref.source_label}`;
  return gap.title.endsWith(tail) ? gap.title.slice(0, -tail.length) : gap.title;
}

const QUOTED = /"[^"]*"/g;
const EXPRESSIONS = /(?:\{\{(?:(?!\{\{|\}\})[\s\S])*\}\}[,\s]*)+/g;
const NUMBERS = /(?<![\w-])\d+(?:\.\d+)*(?![A-Za-z_])/g;

/** Equal for gaps that have the same cause: the names, expressions and numbers in their words differ. */
export function causeKey(gap: CausedGap): string {
  const words = gap.detail
    .replaceAll(`"${gap.source_ref.source_label}"`, '""')
    .replaceAll(QUOTED, '""')
    .replaceAll(EXPRESSIONS, '{{}}')
    .replaceAll(NUMBERS, '0');
  return `${gap.severity} ${gap.kind} ${plainTitle(gap)} ${words}`;
}

const NODE_TYPE = /(?<![\w-])(?:@[\w-]+\/)?[a-z]\w*-[\w-]+\.[a-zA-Z]\w+/;

/** The type of element that a detail names, short: `n8n-nodes-base.googleSheets` → `googleSheets`. */
export function subjectOf(gap: CausedGap): string {
  const bare = gap.detail.replaceAll(QUOTED, '""').replaceAll(EXPRESSIONS, '');
  return NODE_TYPE.exec(bare)?.[0].split('.').at(-1) ?? '';
}

const MOST_CAUSES = 100;
const ID_LENGTH = 16;

/** The source's type name of an element, where it is known. */
export type TypeOf = (sourceId: string) => string | undefined;

/** Undefined for a gap that wants nothing. */
function causeOfGap(gap: CausedGap, typeOf: TypeOf): Omit<FileCause, 'count'> | undefined {
  const { kind, severity } = gap;
  if (severity === 'info') return undefined;
  const title = plainTitle(gap);
  const subject = typeOf(gap.source_ref.source_id)?.split('.').at(-1) ?? subjectOf(gap);
  // Details differ from file to file; kind and type of element say what answers the gap.
  const id = sha256Hex([severity, kind, title, subject].join('\n')).slice(0, ID_LENGTH);
  return { id, kind, severity, title, subject };
}

/** The gaps of a file that have a cause. */
export function gapsOfCause<Gap extends CausedGap>(
  gaps: readonly Gap[],
  typeOf: TypeOf,
  id: string,
): Gap[] {
  return gaps.filter((gap) => causeOfGap(gap, typeOf)?.id === id);
}

/** The causes of a file's gaps that want something, blocking ones first, each with its gaps. */
export function groupByCause<Gap extends CausedGap>(
  gaps: readonly Gap[],
  typeOf: TypeOf,
): { cause: FileCause; gaps: readonly Gap[] }[] {
  const caused = gaps.flatMap((gap) => {
    const cause = causeOfGap(gap, typeOf);
    return cause === undefined ? [] : [{ cause, gap }];
  });
  return [...Map.groupBy(caused, ({ cause }) => cause.id).values()]
    .flatMap((group) => {
      const cause = group[0]?.cause;
      if (cause === undefined) return [];
      return [{ cause: { ...cause, count: group.length }, gaps: group.map(({ gap }) => gap) }];
    })
    .sort((a, b) => severityRank(a.cause) - severityRank(b.cause))
    .slice(0, MOST_CAUSES);
}

function severityRank({ severity }: Pick<FileCause, 'severity'>): number {
  return severity === 'blocking' ? 0 : 1;
}

/** The causes of a file's gaps that want something, blocking ones first. */
export function fileCauses(gaps: readonly CausedGap[], typeOf: TypeOf): FileCause[] {
  return groupByCause(gaps, typeOf).map(({ cause }) => cause);
}
