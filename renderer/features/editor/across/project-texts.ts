import { listArtifacts } from '../../../../server/contract/studio/artifacts.ts';
import { listDrafts } from '../../../../server/contract/studio/drafts.ts';
import { forEachDraft, standingText } from '../../../data/draft-texts.ts';
import { queryClient, routeQuery } from '../../../data/query-client.ts';
import { keptCompositions } from '../../../desktop/kept-compositions.ts';
import type { DraftText } from '../spec-protocol.ts';

/** A draft of the project with what a save of it needs. */
export interface ProjectDraft extends DraftText {
  /** The revision that the studio holds; null for unsaved text. */
  readonly revision: string | null;
  readonly readOnly: boolean;
}

/** The specs and overlays of a project, and those that could not be read. */
export interface ProjectDrafts {
  readonly drafts: readonly ProjectDraft[];
  readonly failed: readonly string[];
}

type Bases = ReadonlyMap<string, readonly string[]>;

/** The bases that each overlay lies over: in artifacts, and in what is composed now. */
async function basesOfOverlays(projectId: string): Promise<Bases> {
  const bases = new Map<string, Set<string>>();
  const note = (base: string, overlays: readonly string[]): void => {
    for (const overlay of overlays) {
      bases.set(overlay, (bases.get(overlay) ?? new Set()).add(base));
    }
  };
  const route = routeQuery(listArtifacts, { params: { project_id: projectId } });
  for (const { base, overlays } of await queryClient.fetchQuery(route)) {
    note(
      base.path,
      overlays.map(({ path }) => path),
    );
  }
  for (const { place, composing } of keptCompositions()) {
    if (place.projectId === projectId) note(composing.base, composing.overlays);
  }
  return new Map([...bases].map(([overlay, found]) => [overlay, [...found]]));
}

/** Every spec and overlay of a project as its text stands, with what lies over what; `anew` passes the cache by. */
export async function readProjectDrafts(projectId: string, anew = false): Promise<ProjectDrafts> {
  const route = routeQuery(listDrafts, { params: { project_id: projectId } });
  const [list, bases] = await Promise.all([
    queryClient.fetchQuery(route),
    basesOfOverlays(projectId),
  ]);
  const known = new Map(list.map((one) => [one.ref, one]));
  const wanted = list.filter(({ kind }) => kind === 'spec' || kind === 'overlay');
  const drafts: ProjectDraft[] = [];
  const failed: string[] = [];
  const read = async (ref: string): Promise<void> => {
    const summary = known.get(ref);
    try {
      const { text, revision } = await standingText(projectId, ref, anew);
      drafts.push({
        ...{ ref, text, revision },
        overlay: summary?.kind === 'overlay',
        over: bases.get(ref) ?? [],
        readOnly: summary?.capabilities !== 'read_write',
      });
    } catch {
      // Whoever asked says which ones are missing.
      failed.push(ref);
    }
  };
  await forEachDraft(
    wanted.map(({ ref }) => ref),
    read,
  );
  return { drafts, failed };
}

/** Only what the worker reads of drafts, with the text that an editor shows in place of a saved one. */
export function textsFor(
  { drafts }: ProjectDrafts,
  here: { readonly ref: string; readonly text: string },
): readonly DraftText[] {
  const texts = drafts.map(({ ref, text, overlay, over }) => ({
    ...{ ref, overlay, over },
    text: ref === here.ref ? here.text : text,
  }));
  const isListed = texts.some(({ ref }) => ref === here.ref);
  return isListed ? texts : [...texts, { ...here, overlay: false, over: [] }];
}
