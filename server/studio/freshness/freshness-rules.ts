import type {
  FreshnessOffer,
  FreshnessOutcome,
  LineageFreshnessView,
  LineageOutcome,
} from '../../contract/studio/freshness.ts';
import { analyzerAge } from '../../importers/versions.ts';
import { compareMembers, electLineage } from '../analyses/lineage.ts';
import type { FreshHead } from './freshness-repository.ts';

/** Severest first (studio.md 15). */
const SEVERITY: readonly FreshnessOutcome[] = [
  'invalid',
  'unordered',
  'frozen_history',
  'newer',
  'unknown',
  'older',
  'edited_revision',
  'current',
  'no_inherited_analysis',
];

/** The severest of some outcomes; of none, that nothing is inherited. */
export function severest(outcomes: readonly FreshnessOutcome[]): FreshnessOutcome {
  return SEVERITY.find((outcome) => outcomes.includes(outcome)) ?? 'no_inherited_analysis';
}

/** One lineage under a component: what the artifact froze of it, and what it has become since. */
export interface LineageInput {
  /** Ref of the component. */
  readonly ref: string;
  /** Frozen analyses of this lineage. */
  readonly carried: readonly FreshHead[];
  /** All members of the lineage now. */
  readonly members: readonly FreshHead[];
  /** Other analyses that the component froze, for offers across outputs of one source. */
  readonly others: readonly FreshHead[];
}

interface Verdict {
  readonly outcome: LineageOutcome;
  readonly age: LineageFreshnessView['age'];
}

function bestOf(members: readonly FreshHead[]): FreshHead | undefined {
  return members.reduce<FreshHead | undefined>((best, member) => {
    if (best === undefined) return member;
    return (compareMembers(member, best) ?? 0) > 0 ? member : best;
  }, undefined);
}

function verdictOf(input: LineageInput, elected: FreshHead | undefined, ordered: boolean): Verdict {
  if (!ordered) return { outcome: 'unordered', age: null };
  if (elected === undefined) return { outcome: 'invalid', age: null };
  if (input.carried.some((head) => head.id === elected.id)) {
    const age = analyzerAge(elected.analyzer_version);
    return { outcome: age, age };
  }
  const best = bestOf(input.carried);
  const age = best === undefined ? null : analyzerAge(best.analyzer_version);
  return { outcome: 'frozen_history', age };
}

function offer(
  kind: FreshnessOffer['kind'],
  analysis_id: string | null,
  ref: string | null,
): FreshnessOffer {
  return { analysis_id, kind, ref };
}

function successorOf(input: LineageInput, elected: FreshHead | undefined): string | undefined {
  if (elected !== undefined && !input.carried.some((head) => head.id === elected.id)) {
    return elected.id;
  }
  const [own] = input.carried;
  return input.others.find(
    (head) =>
      own !== undefined &&
      head.source_sha256 === own.source_sha256 &&
      head.output_sha256 !== own.output_sha256 &&
      head.state === 'active' &&
      analyzerAge(head.analyzer_version) === 'current',
  )?.id;
}

function offersOf(
  input: LineageInput,
  elected: FreshHead | undefined,
  outcome: LineageOutcome,
  invalid: boolean,
): FreshnessOffer[] {
  const offers: FreshnessOffer[] = [];
  if (outcome !== 'current' || invalid) offers.push(offer('re_import', null, input.ref));
  const successor = successorOf(input, elected);
  if (successor !== undefined) {
    offers.push(offer('open_successor', successor, null), offer('new_artifact', null, input.ref));
  }
  const damaged = input.carried.filter((head) => head.state === 'quarantined');
  for (const head of damaged) offers.push(offer('quarantine_surface', head.id, null));
  return offers;
}

/** The view of one lineage (studio.md 15). `carried` holds at least one analysis. */
export function lineageView(input: LineageInput): LineageFreshnessView {
  const [key] = input.carried;
  if (key === undefined) throw new TypeError('a lineage without carried analyses');
  const { ordered, elected: electedId } = electLineage(input.members);
  const elected = input.members.find((member) => member.id === electedId);
  const { outcome, age } = verdictOf(input, elected, ordered);
  const invalid =
    outcome === 'invalid' || input.carried.some((head) => head.state === 'quarantined');
  return {
    age,
    carried: input.carried.map((head) => ({
      age: analyzerAge(head.analyzer_version),
      analysis_id: head.id,
      analyzer_version: head.analyzer_version,
      importer_version: head.importer_version,
      state: head.state,
      superseded_by: head.superseded_by,
    })),
    elected_analysis_id: electedId,
    elected_in_frozen_set: input.carried.some((head) => head.id === electedId),
    importer: key.importer,
    invalid,
    offers: offersOf(input, elected, outcome, invalid),
    ordered,
    outcome,
    output_sha256: key.output_sha256,
    source_sha256: key.source_sha256,
  };
}

/** Outcome of a component from its lineages; an edited revision shows when nothing worse does. */
export function componentOutcome(
  lineages: readonly LineageFreshnessView[],
  edited: boolean,
): FreshnessOutcome {
  const outcomes = lineages.flatMap((lineage): FreshnessOutcome[] =>
    lineage.invalid ? ['invalid', lineage.outcome] : [lineage.outcome],
  );
  const worst = severest(outcomes);
  return edited && worst === 'current' ? 'edited_revision' : worst;
}
