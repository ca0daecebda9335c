import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { t } from '../../../preload/texts/t.ts';
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
      notifyDone(t('{display_name} is no member any more', { display_name }));
    } else {
      await giveRole(projectId, principal_id, role);
      notifyDone(t('{display_name} is {role} now', { display_name, role }));
    }
  });
  return (
    <section className="sw-share-section">
      <h2 className="sw-section-title">{t('People')}</h2>
      <ul className="sw-rows" aria-label={t('Members')} data-testid="members">
        {members.map((member) => (
          <li key={member.principal_id} data-testid={`member-${member.display_name}`}>
            <div className="sw-row-name">
              <span>
                {member.display_name}{' '}
                {member.principal_id === me.principal_id && <Badge>{t('you')}</Badge>}{' '}
                {member.is_quota_principal && <Badge tone="info">{t('carries the storage')}</Badge>}
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
        <ErrorState compact title={t('Nothing was changed')} error={acting.error} />
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
      title: t('Give up being an owner?'),
      children: t('Only another owner can make you one again.'),
      labels: { confirm: t('Become {role}', { role }), cancel: t('Stay owner') },
      confirmProps: { color: 'red', 'data-autofocus': true },
      onConfirm: () => acting.start({ member, role }),
    });
  };
  const remove = (): void => {
    modals.openConfirmModal({
      title: isMe
        ? t('Leave the project?')
        : t('Remove {display_name}?', { display_name: member.display_name }),
      children: t(
        '{isMe, select, true {You} other {They}} can no longer open the project, and invitations that {isMe, select, true {you} other {they}} sent end. What was made in it stays.',
        { isMe },
      ),
      labels: { confirm: isMe ? t('Leave') : t('Remove'), cancel: t('Cancel') },
      confirmProps: { color: 'red', 'data-autofocus': true },
      onConfirm: () => acting.start({ member, role: null }),
    });
  };
  return (
    <>
      <RoleSelect
        label={t('Role of {display_name}', { display_name: member.display_name })}
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
        aria-label={
          isMe
            ? t('Leave the project')
            : t('Remove {display_name}', { display_name: member.display_name })
        }
        disabled={acting.busy}
        data-testid={`remove-${member.display_name}`}
      >
        {isMe ? t('Leave') : t('Remove')}
      </Button>
    </>
  );
}
