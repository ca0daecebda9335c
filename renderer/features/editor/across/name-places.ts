import { type DraftSummary, listDrafts } from '../../../../server/contract/studio/drafts.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { queryClient, routeKey } from '../../../data/query-client.ts';
import { monaco } from '../monaco-setup.ts';
import { askSpecWorker } from '../spec-client.ts';
import type { PlacedName } from '../spec-protocol.ts';
import { modelFor, modelUriOf } from '../text-models.ts';
import { type ProjectDrafts, readProjectDrafts, textsFor } from './project-texts.ts';

/** A place of an open draft. */
export interface DraftPlace {
  readonly projectId: string;
  readonly ref: string;
  readonly text: string;
  readonly offset: number;
}

/** The draft of a model; undefined for a text that is none. */
export function draftOfModel(
  uri: monaco.Uri,
): { readonly projectId: string; readonly ref: string } | undefined {
  if (uri.scheme !== 'draft') return undefined;
  return { projectId: uri.authority, ref: uri.path.slice(1) };
}

/** True for a draft that is known to be an overlay; no answer is waited for. */
export function isOverlay(draft: { readonly projectId: string; readonly ref: string }): boolean {
  const key = routeKey(listDrafts, { params: { project_id: draft.projectId } });
  const list = queryClient.getQueryData<readonly DraftSummary[]>(key);
  return list?.find(({ ref }) => ref === draft.ref)?.kind === 'overlay';
}

/** Places in several drafts as the editor takes them; a draft that is not open gets a model to be shown from. */
function locations(
  { projectId }: DraftPlace,
  { drafts }: ProjectDrafts,
  places: readonly PlacedName[],
): monaco.languages.Location[] {
  return places.map(({ ref, range }) => {
    const address = modelUriOf(projectId, ref);
    const uri = monaco.Uri.parse(address);
    const draft = drafts.find((one) => one.ref === ref);
    if (draft !== undefined && monaco.editor.getModel(uri) === null) modelFor(address, draft.text);
    return {
      uri,
      range: new monaco.Range(range.startLine, range.startColumn, range.endLine, range.endColumn),
    };
  });
}

/** Where the name at a place is declared, or used, in all drafts that mean the same by it. */
export async function placesAcross(
  question: 'definition_across' | 'references_across',
  place: DraftPlace,
): Promise<monaco.languages.Location[]> {
  const { projectId, ref, text, offset } = place;
  const project = await readProjectDrafts(projectId);
  const texts = textsFor(project, { ref, text });
  const found = await askSpecWorker(question, { texts, place: { ref, offset } });
  return locations(place, project, found ?? []);
}

/** Lets "go to" open the draft of another model. */
export function openOtherDrafts(): void {
  monaco.editor.registerEditorOpener({
    openCodeEditor(source, resource, at) {
      const draft = draftOfModel(resource);
      const own = source.getModel()?.uri.toString() === resource.toString();
      if (draft === undefined || own) return false;
      const line = at === undefined || at === null ? undefined : lineOf(at);
      navigateTo(paths.draft(draft.projectId, draft.ref, line === undefined ? {} : { line }));
      return true;
    },
  });
}

function lineOf(at: monaco.IRange | monaco.IPosition): number {
  return 'lineNumber' in at ? at.lineNumber : at.startLineNumber;
}
