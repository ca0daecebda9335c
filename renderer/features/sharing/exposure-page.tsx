import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './sharing.css';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type {
  ExposureConfirmation,
  ExposurePreflight,
} from '../../../server/contract/studio/exposure.ts';
import { isGenerated } from '../../data/draft-names.ts';
import { useProject } from '../../data/studio.ts';
import { type Action, useAction } from '../../data/use-action.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import {
  changeText,
  type ExposedFile,
  exposedFiles,
  missingText,
  STATUS_WORDS,
} from './exposure-model.ts';
import { confirmShown, useConfirmation, useExposed, usePreflight } from './exposure-queries.ts';

const SUB = t('The files of the project’s folder that its members can read here');
const KINDS: Readonly<Record<string, string>> = {
  spec: t('Spec'),
  overlay: t('Overlay'),
  skill_source: t('Source of a skill'),
};

const COLUMNS: readonly DataColumn<ExposedFile>[] = [
  {
    id: 'file',
    header: t('File'),
    cell: ({ ref }) => <span title={ref}>{ref}</span>,
  },
  {
    id: 'change',
    header: t('Since then'),
    width: '110px',
    cell: ({ change, missing }) => (
      <>
        {change !== undefined && (
          <Badge tone={change === 'new' ? 'warning' : 'neutral'}>{change}</Badge>
        )}
        {missing && <Badge tone="danger">{t('missing')}</Badge>}
      </>
    ),
  },
  {
    id: 'kind',
    header: t('Kind'),
    width: '150px',
    room: 'middle',
    cell: ({ kind }) => KINDS[kind] ?? kind,
  },
  {
    id: 'privileged',
    header: t('Part of the confirmation'),
    width: '220px',
    room: 'middle',
    cell: ({ privileged }) =>
      privileged ? (
        t('yes, a file of the folder')
      ) : (
        <span className="sw-faint">{t('no, made here')}</span>
      ),
  },
];

const rowId = (file: ExposedFile): string => file.ref;

/** What a project exposes of its folder, and an owner's word that this is right. */
export function ExposurePage(props: { readonly projectId: string }) {
  const role = useProject(props.projectId)?.role;
  if (role === undefined) {
    return (
      <Page title={t('Exposure')} sub={SUB} testId="exposure-page">
        <ListSkeleton />
      </Page>
    );
  }
  return role === 'owner' ? (
    <OwnersView projectId={props.projectId} />
  ) : (
    <MembersView projectId={props.projectId} />
  );
}

function OwnersView(props: { readonly projectId: string }) {
  const preflight = usePreflight(props.projectId, true);
  const confirmation = useConfirmation(props.projectId, true);
  const digest = preflight.data?.exposure_digest;
  const confirming = useAction(async () => {
    await confirmShown(props.projectId, digest ?? '');
    notifyDone(t('Confirmed: this is what the project exposes'));
  });
  const status = preflight.data?.status;
  return (
    <Page
      title={t('Exposure')}
      sub={SUB}
      flush={preflight.data !== undefined}
      testId="exposure-page"
      actions={
        status !== undefined &&
        status !== 'confirmed' && (
          <Button
            leftSection={<IconShieldCheck size={16} aria-hidden />}
            loading={confirming.busy}
            onClick={() => confirming.start()}
            data-testid="confirm-exposure"
          >
            {t('Confirm this list')}
          </Button>
        )
      }
    >
      <Unread query={preflight} />
      {preflight.data !== undefined && (
        <Exposed
          preflight={preflight.data}
          confirmation={confirmation.data}
          confirming={confirming}
        />
      )}
    </Page>
  );
}

function Exposed(props: {
  readonly preflight: ExposurePreflight;
  readonly confirmation: ExposureConfirmation | null | undefined;
  readonly confirming: Action;
}) {
  const { preflight, confirmation, confirming } = props;
  const files = useMemo(() => exposedFiles(preflight, confirmation), [preflight, confirmation]);
  const { title, text } = STATUS_WORDS[preflight.status];
  const isFine = preflight.status === 'confirmed';
  return (
    <Listed
      files={files}
      none={t('Nothing is exposed: no file of the folder is registered. Add files in the sidebar.')}
    >
      <Notice
        tone={isFine ? 'info' : 'warning'}
        icon={isFine ? <IconShieldCheck size={16} aria-hidden /> : <IconAlertTriangle size={16} />}
        testId="exposure-status"
      >
        <strong>{title}.</strong> {text}{' '}
        {confirmation !== undefined && confirmation !== null && (
          <>
            {rich('Last confirmed by {confirmed_by} {time}. {change} {missing}', {
              confirmed_by: confirmation.confirmed_by,
              time: <TimeAgo at={confirmation.confirmed_at} />,
              change: changeText(preflight, confirmation),
              missing: missingText(confirmation),
            })}
          </>
        )}
      </Notice>
      {confirming.error !== undefined && (
        <ErrorState compact title={t('Nothing was confirmed')} error={confirming.error} />
      )}
    </Listed>
  );
}

/** What somebody sees who may not confirm. */
function MembersView(props: { readonly projectId: string }) {
  const exposed = useExposed(props.projectId, true);
  const files = useMemo(
    () =>
      (exposed.data?.privileged_entries ?? []).map((ref) => ({
        ref,
        kind: '',
        privileged: !isGenerated(ref),
        change: undefined,
        missing: false,
      })),
    [exposed.data],
  );
  return (
    <Page title={t('Exposure')} sub={SUB} flush={exposed.data !== undefined} testId="exposure-page">
      <Unread query={exposed} />
      {exposed.data !== undefined && (
        <Listed files={files} none={t('No file of the folder is registered.')}>
          <Notice
            tone="info"
            icon={<IconShieldCheck size={16} aria-hidden />}
            testId="exposure-status"
          >
            {t(
              'An owner of the project confirms this list, before others are let in and after its folder was replaced.',
            )}
          </Notice>
        </Listed>
      )}
    </Page>
  );
}

function Listed(props: {
  readonly files: readonly ExposedFile[];
  readonly none: string;
  readonly children: ReactNode;
}) {
  const columns = props.files.some(({ kind }) => kind !== '') ? COLUMNS : COLUMNS.slice(0, 1);
  return (
    <div className="sw-share">
      <div className="sw-share-head">{props.children}</div>
      {props.files.length === 0 ? (
        <EmptyState compact title={t('No files')}>
          {props.none}
        </EmptyState>
      ) : (
        <DataTable label={t('Exposed files')} columns={columns} rows={props.files} rowId={rowId} />
      )}
    </div>
  );
}
