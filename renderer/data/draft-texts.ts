import { readDraft } from '../../server/contract/studio/drafts.ts';
import { anyKeptText } from '../desktop/kept-drafts.ts';
import { queryClient, routeQuery } from './query-client.ts';

/** The text of a draft as it stands in this window. */
export interface StandingText {
  readonly text: string;
  /** It is not saved yet. */
  readonly unsaved: boolean;
  /** The revision that the studio holds; null for unsaved text. */
  readonly revision: string | null;
}

const FRESH_MS = 5_000;
const AT_ONCE = 6;

function unsavedText(projectId: string, ref: string): string | undefined {
  const kept = anyKeptText(projectId, ref);
  const has = typeof kept === 'object' && kept !== null && 'text' in kept;
  return has && typeof kept.text === 'string' ? kept.text : undefined;
}

/** What somebody left unsaved in this window, else what the studio holds; `anew` passes the cache by. */
export async function standingText(
  projectId: string,
  ref: string,
  anew = false,
): Promise<StandingText> {
  const kept = unsavedText(projectId, ref);
  if (kept !== undefined) return { text: kept, unsaved: true, revision: null };
  const route = routeQuery(readDraft, { params: { project_id: projectId, ref } });
  const { text, revision } = await queryClient.fetchQuery({
    ...route,
    staleTime: anew ? 0 : FRESH_MS,
  });
  return { text, unsaved: false, revision };
}

/** Does something for each of many drafts, a few at once, while it is wanted. */
export async function forEachDraft(
  refs: readonly string[],
  work: (ref: string) => Promise<void>,
  isWanted: () => boolean = () => true,
): Promise<void> {
  const waiting = [...refs];
  const next = async (): Promise<void> => {
    for (let ref = waiting.shift(); ref !== undefined && isWanted(); ref = waiting.shift()) {
      await work(ref);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}
