import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import '../../ui/rows.css';
import './sharing.css';
import { IconAlertTriangle, IconUsers } from '@tabler/icons-react';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { useMe, useProject } from '../../data/studio.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Unread } from '../../ui/unread.tsx';
import { AddPerson } from './add-person.tsx';
import { STATUS_WORDS } from './exposure-model.ts';
import { usePreflight } from './exposure-queries.ts';
import { Invitations } from './invitations.tsx';
import { MemberList } from './member-list.tsx';
import { useMembers } from './member-queries.ts';
import { Storage } from './storage.tsx';

/** Who is in a project and as what, who may come in, and whose storage carries it. */
export function MembersPage(props: { readonly projectId: string }) {
  const { projectId } = props;
  const me = useMe();
  const project = useProject(projectId);
  if (me.data?.auth_mode === 'none') {
    return (
      <Page title={t('Members')} testId="members-page">
        <EmptyState icon={<IconUsers size={32} stroke={1.25} />} title={t('You are alone here')}>
          {t(
            'Nobody signs in to this studio, so that a project has no members. A studio for a team asks people to sign in (STUDIO_AUTH_MODE).',
          )}
        </EmptyState>
      </Page>
    );
  }
  const isOwner = project?.role === 'owner';
  return (
    <Page
      title={t('Members')}
      sub={
        project === undefined
          ? undefined
          : t('Who may open {name}, and as what', { name: project.name })
      }
      testId="members-page"
    >
      <Unread query={me} />
      {me.data !== undefined && project !== undefined && (
        <>
          {isOwner && <Shut projectId={projectId} />}
          <People projectId={projectId} isOwner={isOwner} me={me.data} />
        </>
      )}
    </Page>
  );
}

/** Why nobody new can come in now. */
function Shut(props: { readonly projectId: string }) {
  const { data } = usePreflight(props.projectId, true);
  if (data === undefined || data.status === 'confirmed') {
    return null;
  }
  return (
    <Notice
      tone="warning"
      icon={<IconAlertTriangle size={16} aria-hidden />}
      testId="members-unconfirmed"
    >
      {rich(
        '{b} Nobody new can be let in, and invitations wait, until an owner has <link>confirmed what the project exposes</link>.',
        {
          b: (
            <strong>
              {t('Exposure: {lowerCase}.', {
                lowerCase: STATUS_WORDS[data.status].title.toLowerCase(),
              })}
            </strong>
          ),
          link: (text) => <AppLink to={paths.exposure(props.projectId)}>{text}</AppLink>,
        },
      )}
    </Notice>
  );
}

function People(props: {
  readonly projectId: string;
  readonly isOwner: boolean;
  readonly me: NonNullable<ReturnType<typeof useMe>['data']>;
}) {
  const { projectId, isOwner, me } = props;
  const members = useMembers(projectId);
  if (members.data === undefined) {
    return <Unread query={members} />;
  }
  return (
    <>
      <MemberList projectId={projectId} isOwner={isOwner} me={me} members={members.data} />
      {isOwner && <AddPerson projectId={projectId} me={me} members={members.data} />}
      {isOwner && <Invitations projectId={projectId} mode={me.auth_mode} />}
      <Storage projectId={projectId} me={me} members={members.data} />
    </>
  );
}
