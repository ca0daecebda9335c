import { t } from '../../../../preload/texts/t.ts';
import { createFile, getTree, type TreeEntry } from '../../../../server/contract/studio/tree.ts';
import { looksLikeSpec } from '../../../../server/spec/values/looks-like-spec.ts';
import { call } from '../../../data/api-client.ts';
import { fileName } from '../../../data/draft-names.ts';
import { queryClient, routeQuery } from '../../../data/query-client.ts';
import { invalidateAuthoring } from '../../../data/studio.ts';
import { notifyDone, notifyError } from '../../../ui/notify.tsx';
import { addSpecs } from './file-actions.ts';

const EXTENSION = /\.(?:ya?ml|json)$/i;
const MAX_BYTES = 1_048_576;

interface Dropped {
  readonly name: string;
  readonly size: number;
  readonly text: string;
}

/** The files when each of them is a spec; undefined when they are something to import. */
export async function droppedSpecs(
  files: readonly File[],
): Promise<readonly Dropped[] | undefined> {
  const specs: Dropped[] = [];
  for (const file of files) {
    if (!EXTENSION.test(file.name) || file.size > MAX_BYTES) {
      return undefined;
    }
    const text = await file.text();
    if (!looksLikeSpec(text)) {
      return undefined;
    }
    specs.push({ name: file.name, size: file.size, text });
  }
  return specs.length === 0 ? undefined : specs;
}

/** The one file of the folder that was dropped: a spec of that name and size that is no draft yet. */
function thatFile(entries: readonly TreeEntry[], dropped: Dropped): string | undefined {
  const same = entries.filter(
    ({ ref, size, registered, spec }) =>
      spec && !registered && size === dropped.size && fileName(ref) === dropped.name,
  );
  return same.length === 1 ? same[0]?.ref : undefined;
}

/** Makes dropped specs drafts: those of the project's folder where they stand, others as copies. */
export async function addDropped(projectId: string, specs: readonly Dropped[]): Promise<void> {
  try {
    const params = { project_id: projectId };
    const { entries } = await queryClient.fetchQuery({
      ...routeQuery(getTree, { params }),
      staleTime: 0,
    });
    const inside: string[] = [];
    for (const spec of specs) {
      const ref = thatFile(entries, spec);
      if (ref !== undefined) {
        inside.push(ref);
      } else {
        const body = { path: spec.name, kind: 'spec', text: spec.text } as const;
        await call(createFile, { params, body });
        notifyDone(t('Copied {name} into the project', { name: spec.name }));
      }
    }
    if (inside.length > 0) {
      await addSpecs(projectId, inside);
    }
  } catch (error) {
    notifyError(t('Not every file was added'), error);
  }
  await invalidateAuthoring();
}
