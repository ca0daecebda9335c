import { listAssertions } from '../../contract/studio/assertions.ts';
import * as contract from '../../contract/studio/drafts.ts';
import { answer } from '../../http/answer.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { assertNotApplicable } from './assert-not-applicable.ts';
import { createDraft } from './create-draft.ts';
import { deleteDraft } from './delete-draft.ts';
import { openDraft, requireRef } from './draft-files.ts';
import { recordRevision } from './drafts-repository.ts';
import { listDraftAssertions } from './list-assertions.ts';
import { listDrafts } from './list-drafts.ts';
import { mergeReimport } from './merge-reimport.ts';
import { moveDraft } from './move-draft.ts';
import { reassociate } from './reassociate.ts';
import { dropRegistration, registerDraft } from './register-draft.ts';
import { writeDraft } from './write-draft.ts';
import { writeDrafts } from './write-drafts.ts';

/** Binds the routes of drafts and of the tree. */
export function registerDraftRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(contract.listDrafts, (_input, context) =>
    listDrafts(deps, memberOf(context).project),
  );
  app.implement(contract.readDraft, async ({ params }, context) => {
    const { project } = memberOf(context);
    const ref = requireRef(params.ref);
    const { draft, content } = await openDraft(deps.db, project, ref);
    await recordRevision(deps.db, draft, content.revision);
    const body = { ref, text: content.text, revision: content.revision };
    const headers = { etag: `"${content.revision}"`, 'cache-control': 'no-store' };
    return answer(body, { headers });
  });
  app.implement(contract.writeDraft, ({ params, body }, context) =>
    writeDraft(deps, memberOf(context), requireRef(params.ref), body),
  );
  app.implement(contract.saveDrafts, ({ body }, context) =>
    writeDrafts(deps, memberOf(context), body.drafts),
  );
  app.implement(contract.registerDraft, async ({ body }, context) => {
    await registerDraft(deps, memberOf(context), body);
    return answer(undefined);
  });
  app.implement(contract.dropRegistration, async ({ params }, context) => {
    await dropRegistration(deps, memberOf(context), requireRef(params.ref));
    return answer(undefined);
  });
  app.implement(contract.reassociateDraft, ({ body }, context) =>
    reassociate(deps, memberOf(context), body),
  );
  app.implement(contract.assertNotApplicable, async ({ body }, context) => {
    await assertNotApplicable(deps, memberOf(context), body.ref);
    return answer(undefined);
  });
  app.implement(listAssertions, ({ query }, context) =>
    listDraftAssertions(deps, memberOf(context).project, query.ref),
  );
  app.implement(contract.createDraft, ({ body }, context) =>
    createDraft(deps, memberOf(context), body),
  );
  app.implement(contract.deleteDraft, async ({ params, query }, context) => {
    await deleteDraft(deps, memberOf(context), requireRef(params.ref), query.expected_revision);
    return answer(undefined);
  });
  app.implement(contract.moveDraft, ({ body }, context) =>
    moveDraft(deps, memberOf(context), body),
  );
  app.implement(contract.mergeReimport, ({ body }, context) =>
    mergeReimport(deps, memberOf(context), body),
  );
}
