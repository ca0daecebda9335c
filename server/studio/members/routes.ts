import * as contract from '../../contract/studio/members.ts';
import { answer } from '../../http/answer.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { deleteMember, putMember } from './change-members.ts';
import { createInvitation, deleteInvitation, listInvitations } from './invitations.ts';
import { listMembers } from './members-repository.ts';
import { answerTransfer, proposeTransfer, readTransfer } from './quota-transfer.ts';

/** Binds the routes of members, invitations and transfers. */
export function registerMemberRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(contract.listMembers, (_input, context) =>
    listMembers(deps.db, memberOf(context).project),
  );
  app.implement(contract.putMember, ({ params, body }, context) =>
    putMember(deps, memberOf(context), params.principal_id, body),
  );
  app.implement(contract.deleteMember, ({ params }, context) =>
    deleteMember(deps, memberOf(context), params.principal_id),
  );
  app.implement(contract.createInvitation, async ({ body }, context) => {
    await createInvitation(deps, memberOf(context), body);
    return { status: 'sent' as const };
  });
  app.implement(contract.listInvitations, (_input, context) =>
    listInvitations(deps, memberOf(context)),
  );
  app.implement(contract.deleteInvitation, async ({ params }, context) => {
    await deleteInvitation(deps, memberOf(context), params.invitation_id);
    return answer(undefined);
  });
  app.implement(contract.getQuotaTransfer, (_input, context) =>
    readTransfer(deps, deps.db, memberOf(context).project.id),
  );
  app.implement(contract.proposeQuotaTransfer, ({ body }, context) =>
    proposeTransfer(deps, memberOf(context), body.to_principal),
  );
  app.implement(contract.acceptQuotaTransfer, ({ params }, context) =>
    answerTransfer(deps, memberOf(context), params.transfer_id, 'accepted'),
  );
  app.implement(contract.declineQuotaTransfer, ({ params }, context) =>
    answerTransfer(deps, memberOf(context), params.transfer_id, 'declined'),
  );
}
