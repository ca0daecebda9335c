import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Role } from '../../../server/contract/studio/fields.ts';
import type { Member } from '../../../server/contract/studio/members.ts';
import type { Me } from '../../../server/contract/studio/session.ts';
import { type Action, useAction } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { giveRole, removePerson } from './member-queries.ts';
import { ROLES } from './member-words.ts';
import { RoleSelect } from './role-select.tsx';

/** The members of a project; owners change roles and remove people. */
export function MemberList(props: {
  readonly projectId: string;
  readonly isOwner: boolean;
  readonly me: Me;
  readonly members: readonly Member[];
}) {
  const { projectId, isOwner, me, members } = props;
  const changing = useAction(async (change: { member: Member; role: Role }) => {
    await giveRole(projectId, change.member.principal_id, change.role);
    notifyDone(`${change.member.display_name} is ${change.role} now`);
  });
  const removing = useAction(async (member: Member) => {
    await removePerson(projectId, member.principal_id);
    notifyDone(`${member.display_name} is no member any more`);
  });
  const failed = changing.error ?? removing.error;
  return (
    <section className="sw-share-section">
      <h2 className="sw-section-title">People</h2>
      <ul className="sw-rows" aria-label="Members" data-testid="members">
        {members.map((member) => (
          <li key={member.principal_id} data-testid={`member-${member.display_name}`}>
            <div className="sw-row-name">
              <span>
                {member.display_name}{' '}
                {member.principal_id === me.principal_id && <Badge>you</Badge>}{' '}
                {member.is_quota_principal && <Badge tone="info">carries the storage</Badge>}
              </span>
            </div>
            <div className="sw-row-state">
              {isOwner ? (
                <Managed member={member} me={me} changing={changing} removing={removing} />
              ) : (
                <RoleWords role={member.role} />
              )}
            </div>
          </li>
        ))}
      </ul>
      {failed !== undefined && (
        <ErrorState
          compact
          title={changing.error === undefined ? 'Nobody was removed' : 'The role was not changed'}
          error={failed}
        />
      )}
    </section>
  );
}

function RoleWords(props: { readonly role: Role }) {
  const role = ROLES.find(({ value }) => value === props.role);
  return (
    <span>
      {role?.label}
      <span className="sw-faint">: {role?.about}</span>
    </span>
  );
}

function Managed(props: {
  readonly member: Member;
  readonly me: Me;
  readonly changing: Action<{ member: Member; role: Role }>;
  readonly removing: Action<Member>;
}) {
  const { member, me, changing, removing } = props;
  const isMe = member.principal_id === me.principal_id;
  const change = (role: Role): void => {
    if (!isMe) {
      changing.start({ member, role });
      return;
    }
    modals.openConfirmModal({
      title: 'Give up being an owner?',
      children: 'Only another owner can make you one again.',
      labels: { confirm: `Become ${role}`, cancel: 'Stay owner' },
      confirmProps: { color: 'red', 'data-autofocus': true },
      onConfirm: () => changing.start({ member, role }),
    });
  };
  const remove = (): void => {
    modals.openConfirmModal({
      title: isMe ? 'Leave the project?' : `Remove ${member.display_name}?`,
      children: `${isMe ? 'You' : 'They'} can no longer open the project, and invitations that ${isMe ? 'you' : 'they'} sent end. What was made in it stays.`,
      labels: { confirm: isMe ? 'Leave' : 'Remove', cancel: 'Cancel' },
      confirmProps: { color: 'red', 'data-autofocus': true },
      onConfirm: () => removing.start(member),
    });
  };
  return (
    <>
      <RoleSelect
        label={`Role of ${member.display_name}`}
        named={false}
        value={member.role}
        onChange={change}
        disabled={changing.busy}
        testId={`role-of-${member.display_name}`}
      />
      <Button
        size="xs"
        variant="default"
        onClick={remove}
        aria-label={isMe ? 'Leave the project' : `Remove ${member.display_name}`}
        loading={removing.busy}
        data-testid={`remove-${member.display_name}`}
      >
        {isMe ? 'Leave' : 'Remove'}
      </Button>
    </>
  );
}
