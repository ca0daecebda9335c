import * as contract from '../../contract/studio/tree.ts';
import { answer } from '../../http/answer.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { createDraftAt } from '../drafts/create-draft.ts';
import { movedCandidates } from './moved-candidates.ts';
import { readTree } from './read-tree.ts';
import { registerFiles } from './register-files.ts';
import { listTrash, purgeEntry, restoreDraft, trashDraft } from './trash.ts';

/** Binds the routes of the project's folder and of its trash. */
export function registerTreeRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(contract.getTree, (_input, context) => readTree(deps, memberOf(context).project));
  app.implement(contract.getTreeVersion, async (_input, context) =>
    deps.trees.version(memberOf(context).project.id),
  );
  app.implement(contract.registerFiles, ({ body }, context) =>
    registerFiles(deps, memberOf(context), body),
  );
  app.implement(contract.createFile, ({ body }, context) =>
    createDraftAt(deps, memberOf(context), body),
  );
  app.implement(contract.listMoved, ({ query }, context) =>
    movedCandidates(deps, memberOf(context).project, query.ref),
  );
  app.implement(contract.listTrash, async (_input, context) => ({
    entries: await listTrash(deps, memberOf(context)),
  }));
  app.implement(contract.trashDraft, ({ body }, context) =>
    trashDraft(deps, memberOf(context), body),
  );
  app.implement(contract.restoreDraft, ({ params, body }, context) =>
    restoreDraft(deps, memberOf(context), params.entry_id, body.ref),
  );
  app.implement(contract.purgeTrashEntry, async ({ params }, context) => {
    await purgeEntry(deps, memberOf(context), params.entry_id);
    return answer(undefined);
  });
}
