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

/** What an owner wants of a member: another role, or null for none. */
interface Change {
  readonly member: Member;
  readonly role: Role | null;
}

/** The members of a project; owners change roles and remove people. */
export function MemberList(props: {
  readonly projectId: string;
  readonly isOwner: boolean;
  readonly me: Me;
  readonly members: readonly Member[];
}) {
  const { projectId, isOwner, me, members } = props;
  const acting = useAction(async ({ member, role }: Change) => {
    const { principal_id, display_name } = member;
    if (role === null) {
      await removePerson(projectId, principal_id);
      notifyDone(`${display_name} is no member any more`);
    } else {
      await giveRole(projectId, principal_id, role);
      notifyDone(`${display_name} is ${role} now`);
    }
  });
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
                <Managed member={member} me={me} acting={acting} />
              ) : (
                <RoleWords role={member.role} />
              )}
            </div>
          </li>
        ))}
      </ul>
      {acting.error !== undefined && (
        <ErrorState compact title="Nothing was changed" error={acting.error} />
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
  readonly acting: Action<Change>;
}) {
  const { member, me, acting } = props;
  const isMe = member.principal_id === me.principal_id;
  const change = (role: Role): void => {
    if (!isMe) {
      acting.start({ member, role });
      return;
    }
    modals.openConfirmModal({
      title: 'Give up being an owner?',
      children: 'Only another owner can make you one again.',
      labels: { confirm: `Become ${role}`, cancel: 'Stay owner' },
      confirmProps: { color: 'red', 'data-autofocus': true },
      onConfirm: () => acting.start({ member, role }),
    });
  };
  const remove = (): void => {
    modals.openConfirmModal({
      title: isMe ? 'Leave the project?' : `Remove ${member.display_name}?`,
      children: `${isMe ? 'You' : 'They'} can no longer open the project, and invitations that ${isMe ? 'you' : 'they'} sent end. What was made in it stays.`,
      labels: { confirm: isMe ? 'Leave' : 'Remove', cancel: 'Cancel' },
      confirmProps: { color: 'red', 'data-autofocus': true },
      onConfirm: () => acting.start({ member, role: null }),
    });
  };
  return (
    <>
      <RoleSelect
        label={`Role of ${member.display_name}`}
        named={false}
        value={member.role}
        onChange={change}
        disabled={acting.busy}
        testId={`role-of-${member.display_name}`}
      />
      <Button
        size="xs"
        variant="default"
        onClick={remove}
        aria-label={isMe ? 'Leave the project' : `Remove ${member.display_name}`}
        disabled={acting.busy}
        data-testid={`remove-${member.display_name}`}
      >
        {isMe ? 'Leave' : 'Remove'}
      </Button>
    </>
  );
}
