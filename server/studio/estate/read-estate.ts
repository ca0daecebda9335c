import type { EstateDraft, ProjectEstate } from '../../contract/studio/estate.ts';
import { type EstateFile, estateOf } from '../../gaps/estate/estate.ts';
import { NO_FACTS } from '../../gaps/estate/source-facts.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { parseIds } from '../analyses/analysis-record.ts';
import { openRecord, requireAnalysis } from '../analyses/read-analysis.ts';
import type { StudioDeps } from '../deps.ts';
import { requireConfirmedRoot } from '../exposure/exposure.ts';
import { standingAttestations } from '../gaps/gap-state.ts';
import { estateBinding, parseEstate, type StoredEstate, storedCauses } from './estate-record.ts';
import {
  type DraftAnalysis,
  listDraftAnalyses,
  listProjectResolutions,
} from './estates-repository.ts';

/** Records that are opened before others get their turn. */
const AT_ONCE = 50;

/** Gaps that count as answered: `analysis, gap, revision`. */
type Answered = ReadonlySet<string>;

const answerKey = (...parts: readonly string[]): string => parts.join('\u0000');

async function readAnswered(deps: StudioDeps, project: ProjectRow): Promise<Answered> {
  const rows = await listProjectResolutions(deps.db, project.id);
  const logs = [...Map.groupBy(rows, ({ analysis_id }) => analysis_id)];
  return new Set(
    logs.flatMap(([id, log]) =>
      standingAttestations(log).map(({ gap_id, revision }) => answerKey(id, gap_id, revision)),
    ),
  );
}

/** What an analysis says for the map; null when it cannot be read. */
async function readStored(
  deps: StudioDeps,
  project: ProjectRow,
  row: DraftAnalysis,
): Promise<StoredEstate | null> {
  if (row.estate !== null) {
    const text = deps.keyring.open(row.estate, estateBinding(project.id, row.id));
    const stored = text === undefined ? undefined : parseEstate(text);
    if (stored !== undefined) return stored;
  }
  try {
    const analysis = await requireAnalysis(deps.db, project, row.id);
    const { gaps, canvas } = await openRecord(deps, analysis);
    return { facts: null, causes: storedCauses(gaps, canvas) };
  } catch (error) {
    // A record that is damaged or was reclaimed leaves its draft out of the map, which says so.
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function draftOf(row: DraftAnalysis, stored: StoredEstate, isOpen: IsOpen): EstateDraft {
  const { ref, id } = row;
  return {
    ref,
    analysis_id: id,
    workflow: { id: stored.facts?.id ?? null, name: stored.facts?.name ?? null },
    blocking: parseIds(row.blocking_gap_ids).filter(isOpen).length,
    has_facts: stored.facts !== null,
  };
}

type IsOpen = (gapId: string) => boolean;

function fileOf(draft: EstateDraft, { facts, causes }: StoredEstate, isOpen: IsOpen): EstateFile {
  const open = causes.map(({ gaps, ...cause }) => ({
    ...cause,
    count: gaps.filter(isOpen).length,
  }));
  const { ref, blocking } = draft;
  return {
    ...{ path: ref, draft: ref, blocking, facts: facts ?? NO_FACTS },
    causes: open.filter(({ count }) => count > 0),
  };
}

/** The map of the imported drafts of a project: each by its latest analysis. */
export async function readEstate(deps: StudioDeps, project: ProjectRow): Promise<ProjectEstate> {
  await requireConfirmedRoot(deps.db, project);
  const answered = await readAnswered(deps, project);
  const drafts: EstateDraft[] = [];
  const files: EstateFile[] = [];
  const unread: string[] = [];
  const byRef = Map.groupBy(await listDraftAnalyses(deps.db, project.id), ({ ref }) => ref);
  let opened = 0;
  for (const [ref, [row]] of byRef) {
    if (row === undefined) continue;
    opened += 1;
    if (opened % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    const stored = await readStored(deps, project, row);
    if (stored === null) {
      unread.push(ref);
      continue;
    }
    const revision = row.last_known_revision;
    const isOpen: IsOpen = (gapId) => !answered.has(answerKey(row.id, gapId, revision ?? ''));
    const draft = draftOf(row, stored, isOpen);
    drafts.push(draft);
    files.push(fileOf(draft, stored, isOpen));
  }
  return { ...estateOf(files), drafts, unread };
}
