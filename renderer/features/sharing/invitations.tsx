import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { Role } from '../../../server/contract/studio/fields.ts';
import type { InvitationView } from '../../../server/contract/studio/members.ts';
import type { AuthMode } from '../../../server/contract/studio/session.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { useAction } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { rich } from '../../ui/rich.ts';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { HELD_WORDS } from './activity-words.ts';
import { invite, takeBack, useInvitations } from './member-queries.ts';
import { selectorKinds, selectorLabel } from './member-words.ts';
import { RoleSelect } from './role-select.tsx';

/** Invites people who are not known here, and shows which invitations wait. */
export function Invitations(props: { readonly projectId: string; readonly mode: AuthMode }) {
  const { projectId, mode } = props;
  const invitations = useInvitations(projectId);
  return (
    <section className="sw-share-section">
      <h2 className="sw-section-title">{t('Invite somebody')}</h2>
      <p>
        {t(
          'Whoever signs in as named comes in with this role, within 14 days. No message is sent: tell them the address of this studio yourself.',
        )}
      </p>
      <InviteForm projectId={projectId} mode={mode} />
      <h3 className="sw-section-title">{t('Waiting invitations')}</h3>
      <Unread query={invitations} rows={2} compact />
      {invitations.data?.length === 0 && <p className="sw-faint">{t('None.')}</p>}
      {invitations.data !== undefined && invitations.data.length > 0 && (
        <ul className="sw-rows" aria-label={t('Waiting invitations')} data-testid="invitations">
          {invitations.data.map((one) => (
            <Waiting key={one.id} projectId={projectId} invitation={one} />
          ))}
        </ul>
      )}
    </section>
  );
}

function InviteForm(props: { readonly projectId: string; readonly mode: AuthMode }) {
  const { projectId, mode } = props;
  const kinds = selectorKinds(mode);
  const [kind, setKind] = useState(kinds.find(({ shut }) => shut === undefined)?.kind ?? '');
  const [value, setValue] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const chosen = kinds.find((one) => one.kind === kind);
  const inviting = useAction(async () => {
    await invite(projectId, { role, selector_kind: kind, selector_value: value });
    notifyDone(t('{value} is invited as {role}', { value: value.trim(), role }));
    setValue('');
  });
  return (
    <form
      className="sw-share-form"
      data-testid="invite-form"
      onSubmit={(event) => {
        event.preventDefault();
        inviting.start();
      }}
    >
      <NativeSelect
        size="xs"
        label={t('Named by')}
        data={kinds.map(({ kind: name, label, shut }) => ({
          value: name,
          label: shut === undefined ? label : `${label} (${shut})`,
          disabled: shut !== undefined,
        }))}
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value)}
        w={220}
        data-testid="invite-kind"
      />
      <TextInput
        size="xs"
        label={chosen?.label ?? t('Person')}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        autoComplete="off"
        data-testid="invite-value"
      />
      <RoleSelect label={t('Role')} value={role} onChange={setRole} testId="invite-role" />
      <Button
        type="submit"
        size="xs"
        loading={inviting.busy}
        disabled={value.trim() === ''}
        data-testid="invite-send"
      >
        {t('Invite')}
      </Button>
      <p className="sw-faint">{chosen?.hint}</p>
      {inviting.error !== undefined && (
        <ErrorState compact title={t('Nobody was invited')} error={inviting.error} />
      )}
    </form>
  );
}

/** Reasons that end when an owner confirms the exposure. */
const BY_EXPOSURE = new Set(['unconfirmed', 'manifest_changed', 'root_changed']);

function Waiting(props: { readonly projectId: string; readonly invitation: InvitationView }) {
  const { projectId, invitation } = props;
  const { held_reason: held } = invitation;
  const revoking = useAction(async () => {
    await takeBack(projectId, invitation.id);
    notifyDone(
      t('The invitation of {selector_value} is taken back', {
        selector_value: invitation.selector_value,
      }),
    );
  });
  return (
    <li data-testid={`invitation-${invitation.selector_value}`}>
      <div className="sw-row-name">
        <span>
          {invitation.selector_value} <Badge>{invitation.role}</Badge>{' '}
          {held !== null && <Badge tone="warning">{t('held')}</Badge>}
        </span>
        <span className="sw-faint">
          {rich('{selectorLabel}, ends {time}', {
            selectorLabel: selectorLabel(invitation.selector_kind),
            time: <TimeAgo at={invitation.expires_at} />,
          })}
        </span>
        {held !== null && (
          <span data-testid="held-reason">
            {rich('They signed in and were not let in: {held_words}. {value}{value2}{value3}', {
              held_words: HELD_WORDS[held] ?? held,
              value: BY_EXPOSURE.has(held) && (
                <>
                  {rich('<link>Confirm the exposure</link>, then let them sign in again.', {
                    link: (text) => <AppLink to={paths.exposure(projectId)}>{text}</AppLink>,
                  })}
                </>
              ),
              value2:
                held === 'selector_case_mismatch' &&
                t('Take this one back and invite the address as they write it.'),
              value3:
                held === 'unobservable' && t('Bring the folder back, then let them sign in again.'),
            })}
          </span>
        )}
        {revoking.error !== undefined && (
          <ErrorState compact title={t('It was not taken back')} error={revoking.error} />
        )}
      </div>
      <div className="sw-row-state">
        <Button
          size="xs"
          variant="default"
          loading={revoking.busy}
          onClick={() => revoking.start()}
          aria-label={t('Take back the invitation of {selector_value}', {
            selector_value: invitation.selector_value,
          })}
        >
          {t('Take back')}
        </Button>
      </div>
    </li>
  );
}
