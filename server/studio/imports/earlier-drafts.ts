import type { EstateDraft, ProjectEstate } from '../../contract/studio/estate.ts';
import type { Call, Origin } from '../../importers/analysis.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { readEstate } from '../estate/read-estate.ts';
import { readFile } from '../files/tree-files.ts';
import type { EarlierDraft } from './analyze-together.ts';

interface Caller {
  readonly origin: Origin;
  readonly calls: readonly Call[];
}

function isNamed({ id, name }: Origin, words: readonly string[]): boolean {
  return [id, name].some((word) => word !== null && words.includes(word));
}

function wordsOf({ id, name }: Origin): string[] {
  return [id, name].filter((word) => word !== null);
}

/** The drafts from which calls lead to a workflow, itself included. */
function leadingTo({ drafts, calls }: ProjectEstate, origin: Origin): ReadonlySet<string> {
  const words = wordsOf(origin);
  const found = new Set(
    drafts.filter(({ workflow }) => isNamed(workflow, words)).map(({ ref }) => ref),
  );
  for (const { from, wanted } of calls) if (words.includes(wanted)) found.add(from);
  let before = -1;
  while (before < found.size) {
    before = found.size;
    for (const { from, to } of calls) if (to.some((ref) => found.has(ref))) found.add(from);
  }
  return found;
}

async function draftOf(
  { root }: ProjectRow,
  { ref, workflow: origin, blocking }: EstateDraft,
): Promise<EarlierDraft[]> {
  const content = await readFile(root, ref);
  if (content === undefined) return [];
  return [{ ref, origin, text: content.text, blocking }];
}

/**
 * The imported drafts of a project that the calls of a source may mean, as their texts are now;
 * without those that lead back to the source.
 */
export async function findEarlierDrafts(
  deps: StudioDeps,
  project: ProjectRow,
  { origin, calls }: Caller,
): Promise<readonly EarlierDraft[]> {
  if (calls.length === 0) return [];
  try {
    const estate = await readEstate(deps, project);
    const wanted = calls.flatMap((call) => call.wanted);
    const back = leadingTo(estate, origin);
    const meant = estate.drafts.filter(
      ({ ref, workflow }) => isNamed(workflow, wanted) && !back.has(ref),
    );
    return (await Promise.all(meant.map((draft) => draftOf(project, draft)))).flat();
  } catch (error) {
    // What keeps the project from being read refuses the import too, when its turn comes.
    if (error instanceof Refusal) return [];
    throw error;
  }
}
