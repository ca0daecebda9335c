import { Group, Loader, Select } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { listArtifacts } from '../../../server/contract/studio/artifacts.ts';
import { listDrafts } from '../../../server/contract/studio/drafts.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { draftTitle } from '../../data/draft-names.ts';
import { routeQuery } from '../../data/query-client.ts';
import { useMe } from '../../data/studio.ts';
import { anyKeptText } from '../../desktop/kept-drafts.ts';
import { clockText } from '../../ui/clock-text.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { rich } from '../../ui/rich.ts';
import type { LaunchForm } from './launch-model.ts';
import type { StudioRead } from './launch-studio.ts';
import { SpecText } from './spec-text-field.tsx';

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What of a project can be launched. */
function useChoices({ kind, project }: LaunchForm) {
  const params = { project_id: project };
  const hasProject = project !== '';
  const drafts = useQuery({
    ...routeQuery(listDrafts, { params }),
    enabled: hasProject && kind === 'draft',
  });
  const artifacts = useQuery({
    ...routeQuery(listArtifacts, { params }),
    enabled: hasProject && kind === 'artifact',
  });
  const choices: readonly Choice[] =
    kind === 'draft'
      ? (drafts.data ?? [])
          .filter((draft) => draft.kind === 'spec')
          .map(({ ref }) => ({ value: ref, label: ref }))
      : (artifacts.data ?? []).map(({ id, base, created_at }) => ({
          value: id,
          label: t('{draftTitle}, frozen {clock} ({id})', {
            draftTitle: draftTitle(base.path),
            clock: clockText(created_at),
            id: id.slice(0, 6),
          }),
        }));
  const { error, isLoading } = kind === 'draft' ? drafts : artifacts;
  return { choices, error, isLoading };
}

function isUnsaved({ kind, project, draft }: LaunchForm): boolean {
  return kind === 'draft' && draft !== '' && anyKeptText(project, draft) !== undefined;
}

/** A draft or an artifact of the studio: chosen by project, and shown as it would run. */
export function StudioSource(props: {
  readonly form: LaunchForm;
  readonly onChange: (form: LaunchForm) => void;
  readonly studio: StudioRead;
  readonly problem: string | undefined;
}) {
  const { form, onChange, studio } = props;
  const me = useMe();
  const { choices, error, isLoading } = useChoices(form);
  const isDraft = form.kind === 'draft';
  const chosen = isDraft ? form.draft : form.artifact;
  const projects = me.data?.projects ?? [];
  return (
    <>
      <Group gap="sm" align="flex-start" mb="xs">
        <Select
          label={t('Project')}
          w={240}
          data={projects.map(({ id, name }) => ({ value: id, label: name }))}
          value={form.project === '' ? null : form.project}
          onChange={(project) =>
            onChange({ ...form, project: project ?? '', draft: '', artifact: '' })
          }
          searchable
          data-testid="launch-project"
        />
        <Select
          label={isDraft ? t('Draft') : t('Artifact')}
          miw={280}
          style={{ flex: 1 }}
          disabled={form.project === ''}
          data={[...choices]}
          value={chosen === '' ? null : chosen}
          onChange={(value) => onChange({ ...form, [isDraft ? 'draft' : 'artifact']: value ?? '' })}
          searchable
          nothingFoundMessage={
            isDraft ? t('No spec of that name.') : t('No artifact yet. One is made from a draft.')
          }
          rightSection={isLoading ? <Loader size={14} /> : undefined}
          data-testid="launch-pick"
        />
      </Group>
      <Unsettled {...props} />
      {(error ?? me.error ?? studio.error) != null && (
        <ErrorState
          compact
          title={t('It was not read from the studio')}
          error={error ?? me.error ?? studio.error}
          onRetry={studio.retry}
        />
      )}
      {studio.text !== undefined && (
        <SpecText
          label={isDraft ? t('What is saved of it') : t('As it is composed')}
          text={studio.text.text}
          problem={props.problem}
        />
      )}
    </>
  );
}

/** What somebody should know before they launch what they chose. */
function Unsettled({ form, studio }: { readonly form: LaunchForm; readonly studio: StudioRead }) {
  const icon = <IconAlertTriangle size={16} aria-hidden />;
  return (
    <>
      {isUnsaved(form) && (
        <Notice tone="warning" icon={icon} testId="launch-unsaved">
          {rich(
            'This window holds changes of the draft that are not saved. What is saved is launched. <link>Open it</link>',
            {
              link: (text) => <AppLink to={paths.draft(form.project, form.draft)}>{text}</AppLink>,
            },
          )}
        </Notice>
      )}
      {studio.open > 0 && (
        <Notice tone="warning" icon={icon} testId="launch-open-gaps">
          {rich(
            '{count, plural, one {# blocking gap} other {# blocking gaps}} of it {count, plural, one {is} other {are}} open. <link>See what they are</link>',
            {
              count: studio.open,
              link: (text) => (
                <AppLink to={paths.artifact(form.project, form.artifact)}>{text}</AppLink>
              ),
            },
          )}
        </Notice>
      )}
    </>
  );
}
