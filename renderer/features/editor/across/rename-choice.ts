import { t } from '../../../../preload/texts/t.ts';
import type { FileChange } from '../spec-protocol.ts';
import type { RenameRequest } from './rename-request.ts';
import type { DraftChange } from './save-together.ts';

/** Why a draft cannot be renamed with the others; null when it can. */
export function hindranceOf(
  { ref, project }: Pick<RenameRequest, 'ref' | 'project'>,
  file: FileChange,
): string | null {
  if (file.problem !== null) return file.problem;
  const draft = project.drafts.find((one) => one.ref === file.ref);
  if (draft?.readOnly === true) return t('This draft is registered for reading only.');
  const unsaved = draft?.revision === null && file.ref !== ref;
  return unsaved ? t('It has changes that are not saved. Save or discard them first.') : null;
}

/** The drafts that are renamed unless somebody says otherwise: all that surely mean the same. */
export function wantedAtFirst(request: RenameRequest): ReadonlySet<string> {
  const sure = request.answer.files.filter(
    (file) => file.tie !== 'possible' && hindranceOf(request, file) === null,
  );
  return new Set(sure.map(({ ref }) => ref));
}

/** What is saved: each chosen draft with its text before and after; `revision` is that of the open one. */
export function renameChanges(
  { ref, text, project, answer }: RenameRequest,
  chosen: ReadonlySet<string>,
  revision: string,
): DraftChange[] {
  return answer.files.flatMap((file): DraftChange[] => {
    if (!chosen.has(file.ref)) return [];
    if (file.ref === ref) return [{ ref, before: text, after: file.after, revision }];
    const draft = project.drafts.find((one) => one.ref === file.ref);
    if (draft === undefined || draft.revision === null) return [];
    return [{ ref: file.ref, before: draft.text, after: file.after, revision: draft.revision }];
  });
}
