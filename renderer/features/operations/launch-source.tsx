import {
  Autocomplete,
  Button,
  FileButton,
  Group,
  SegmentedControl,
  TextInput,
} from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import type { Environments } from '../../data/environment.ts';
import type { Action } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { notifyError } from '../../ui/notify.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import type { LaunchForm, SourceKind } from './launch-model.ts';
import { LaunchOptionsForm } from './launch-options.tsx';
import { HAS_STUDIO, type StudioRead } from './launch-studio.ts';
import { StudioSource } from './launch-studio-source.tsx';
import { SpecText } from './spec-text-field.tsx';

const KINDS: readonly { readonly value: SourceKind; readonly label: string }[] = [
  ...(HAS_STUDIO
    ? ([
        { value: 'draft', label: t('Draft') },
        { value: 'artifact', label: t('Artifact') },
      ] as const)
    : []),
  { value: 'text', label: t('Text') },
  { value: 'path', label: t('File of the platform') },
];

/** What is launched, where, and with what. */
export function LaunchSourceForm(props: {
  readonly form: LaunchForm;
  readonly onChange: (form: LaunchForm) => void;
  readonly environments: Environments | undefined;
  readonly studio: StudioRead;
  /** What a form that was filled in again lacks. */
  readonly notes: readonly string[];
  readonly problem: string | undefined;
  readonly ready: boolean;
  readonly checking: Action;
}) {
  const { form, onChange, checking, notes } = props;
  const open = (file: File | null): void => {
    file?.text().then(
      (text) => onChange({ ...form, kind: 'text', text }),
      (error: unknown) => notifyError(t('The file was not read'), error),
    );
  };
  const choose = (value: string): void => {
    const kind = KINDS.find((known) => known.value === value)?.value ?? 'text';
    onChange({ ...form, kind });
  };
  return (
    <form
      className="sw-operate-section"
      onSubmit={(event) => {
        event.preventDefault();
        checking.start();
      }}
      data-testid="launch-form"
    >
      {notes.map((note) => (
        <Notice
          key={note}
          tone="info"
          icon={<IconInfoCircle size={16} aria-hidden />}
          testId="launch-note"
        >
          {note}
        </Notice>
      ))}
      <Group mb="xs" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('Where the spec comes from')}
          value={form.kind}
          onChange={choose}
          data={[...KINDS]}
          data-testid="launch-kind"
        />
        <FileButton accept=".yaml,.yml,.json" onChange={open}>
          {(button) => (
            <Button size="xs" variant="default" {...button}>
              {t('Open a file…')}
            </Button>
          )}
        </FileButton>
      </Group>
      <Source {...props} />
      <LaunchOptionsForm
        options={form.options}
        onChange={(options) => onChange({ ...form, options })}
      />
      <Group align="flex-end" mt="sm" gap="sm">
        <EnvironmentField {...props} />
        <Button
          type="submit"
          disabled={!props.ready}
          loading={checking.busy}
          data-testid="launch-check"
        >
          {t('Check')}
        </Button>
      </Group>
      {checking.error !== undefined && (
        <ErrorState compact title={t('It was not checked')} error={checking.error} />
      )}
    </form>
  );
}

function Source(props: {
  readonly form: LaunchForm;
  readonly onChange: (form: LaunchForm) => void;
  readonly studio: StudioRead;
  readonly problem: string | undefined;
}) {
  const { form, onChange, problem } = props;
  if (form.kind === 'text') {
    return (
      <SpecText
        label={t('Spec')}
        text={form.text}
        problem={problem}
        onChange={(text) => onChange({ ...form, text })}
      />
    );
  }
  return form.kind === 'path' ? (
    <TextInput
      label={t('Path')}
      description={t('A file below the folder from which the platform reads specs')}
      value={form.path}
      onChange={(event) => onChange({ ...form, path: event.currentTarget.value })}
      data-testid="launch-path"
    />
  ) : (
    <StudioSource {...props} />
  );
}

/** The window's environment stands fixed; where it shows none, one may be named. */
function EnvironmentField(props: {
  readonly form: LaunchForm;
  readonly onChange: (form: LaunchForm) => void;
  readonly environments: Environments | undefined;
}) {
  const { form, onChange, environments } = props;
  const chosen = environments?.chosen ?? null;
  if (chosen !== null) {
    const { name, label, production } = chosen;
    return (
      <p className="sw-launch-environment" data-testid="launch-fixed-environment">
        {t('Environment')}{' '}
        <Badge
          tone={production ? 'danger' : 'neutral'}
          icon={production ? <IconAlertTriangle size={13} aria-hidden /> : undefined}
        >
          {label === '' ? name : `${label} (${name})`}
          {production ? t(', production') : ''}
        </Badge>{' '}
        <span className="sw-faint">{t('as this window shows it')}</span>
      </p>
    );
  }
  return (
    <Autocomplete
      label={t('Environment')}
      placeholder={t('none')}
      data={environments?.choices.map(({ name }) => name) ?? []}
      value={form.environment}
      onChange={(environment) => onChange({ ...form, environment })}
      data-testid="launch-environment"
    />
  );
}
