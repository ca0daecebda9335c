import { refuse } from '../../contract/studio/errors.ts';
import { systemCode } from '../../kernel/system-code.ts';
import type { StudioDeps } from '../deps.ts';

/** Does a write of the tree; a failing disk becomes a refusal that says so. */
export async function writeTree<T>(deps: StudioDeps, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    deps.log.error({ code: systemCode(error) ?? 'unknown' }, 'a draft could not be written');
    const message =
      'The file could not be written; it is as it was. Check the disk and its rights.';
    throw refuse('draft_write_failed', { message, cause: error });
  }
}
