import { refuse } from '../../contract/studio/errors.ts';
import type { WrittenFunction } from '../../contract/studio/functions.ts';
import { editText } from '../../spec/edit/edit-text.ts';
import {
  type FunctionSketch,
  type SketchedPart,
  sketchFunction,
} from '../../spec/edit/function-sketch.ts';
import { applyEdits } from '../../spec/edit/text-edit.ts';
import { formatOfFile, parseSpecText } from '../../spec/yaml/parse-yaml.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { openDraft, requireRef, staleDraft } from '../drafts/draft-files.ts';
import { writeTree } from '../drafts/write-tree.ts';
import { createFile, removeFile } from '../files/tree-files.ts';
import { saveText } from '../history/save-text.ts';

export interface WriteFunctionInput extends SketchedPart {
  readonly draft: { readonly path: string; readonly revision: string };
}

const encoder = new TextEncoder();
const MOST_NAMES = 50;

interface Made {
  readonly implementation: string;
  readonly files: readonly string[];
}

/** Makes the two files under the first name that neither is taken of; nothing is overwritten. */
async function makeFiles({ root }: ProjectRow, sketch: FunctionSketch): Promise<Made> {
  for (let count = 1; count <= MOST_NAMES; count += 1) {
    const module = count === 1 ? sketch.module : `${sketch.module}_${count}`;
    const [code, test] = [`functions/${module}.ts`, `functions/${module}.test.ts`];
    if (!(await createFile(root, code, encoder.encode(sketch.code)))) continue;
    if (await createFile(root, test, encoder.encode(sketch.test(module)))) {
      return { implementation: `${module}.${sketch.export}`, files: [code, test] };
    }
    await removeFile(root, code);
  }
  throw refuse('draft_exists', { details: { path: `functions/${sketch.module}.ts` } });
}

function badPart() {
  const msg = 'The draft has no function or tool of that name that is code';
  const error = { loc: ['body', 'name'], msg, type: 'value_error' };
  return refuse('request_invalid', { details: { errors: [error] } });
}

/**
 * Makes code to begin with, and its test, in the `functions` folder of the project, and lets the draft
 * name it. A file is never overwritten; where the draft cannot be saved the new files are taken back.
 */
export async function writeFunction(
  deps: StudioDeps,
  member: Member,
  input: WriteFunctionInput,
): Promise<WrittenFunction> {
  const { project } = member;
  const ref = requireRef(input.draft.path);
  return deps.locks.run(project.id, async () => {
    const { draft, content } = await openDraft(deps.db, project, ref);
    if (content.revision !== input.draft.revision)
      throw staleDraft(ref, input.draft.revision, content.revision);
    if (draft.capabilities === 'read') throw refuse('draft_read_only', { details: { path: ref } });
    const format = formatOfFile(ref);
    const document = parseSpecText(content.text, format).value;
    const sketch = document === undefined ? undefined : sketchFunction(document, input);
    if (sketch === undefined) throw badPart();
    const made = await writeTree(deps, () => makeFiles(project, sketch));
    try {
      const value = made.implementation;
      const edits = editText(content.text, { op: 'set', path: sketch.path, value }, format);
      if (edits === undefined) throw badPart();
      const bytes = encoder.encode(applyEdits(content.text, edits));
      const saved = { draft, expected: content.revision, bytes, cause: 'save' } as const;
      const revision = await saveText(deps, member, saved, (trx, as) =>
        recordAct(deps, trx, member, 'save_draft', { ref, revision: as, files: made.files }),
      );
      return {
        implementation: made.implementation,
        files: [...made.files],
        draft: { path: ref, revision },
      };
    } catch (error) {
      for (const file of made.files) await removeFile(project.root, file);
      throw error;
    }
  });
}
