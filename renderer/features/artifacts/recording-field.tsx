import { Autocomplete, Input, SegmentedControl, TextInput } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import { isReady, knownRecordings, type RecordingDraft } from './recording-model.ts';

const MODES: { readonly value: RecordingDraft['mode']; readonly label: string }[] = [
  { value: 'off', label: t('Call them') },
  { value: 'record', label: t('Call and record') },
  { value: 'replay', label: t('Replay a recording') },
];

const WHAT: Readonly<Record<RecordingDraft['mode'], string>> = {
  off: t('Models and tools are called; nothing is kept beside the run.'),
  record: t(
    'Every call of a model or tool and its answer are kept, secrets masked. A recording of the same name is replaced.',
  ),
  replay: t(
    'Models and tools answer from the recording: no provider is asked and no key is needed. A request that it does not hold fails the run.',
  ),
};

function isMode(value: string): value is RecordingDraft['mode'] {
  return MODES.some((mode) => mode.value === value);
}

/** Whether the models and tools of a run are called, recorded, or answered from a recording. */
export function RecordingField(props: {
  readonly projectId: string;
  readonly draft: RecordingDraft;
  readonly onChange: (draft: RecordingDraft) => void;
}) {
  const { draft, onChange } = props;
  const name = {
    label: t('Name of the recording'),
    description: t('.studio/recordings/{name}.jsonl in the spec folder of the platform', {
      name: draft.name.trim() || '…',
    }),
    value: draft.name,
    error: isReady(draft)
      ? null
      : t('Letters, digits, dots, underscores and hyphens; 100 at most.'),
    'data-testid': 'recording-name',
  };
  return (
    <>
      <Input.Wrapper label={t('Models and tools')} description={WHAT[draft.mode]} mt="md">
        <SegmentedControl
          fullWidth
          mt={6}
          size="xs"
          aria-label={t('Models and tools')}
          data={MODES}
          value={draft.mode}
          onChange={(value) => isMode(value) && onChange({ ...draft, mode: value })}
          data-testid="recording-mode"
        />
      </Input.Wrapper>
      {draft.mode === 'record' && (
        <TextInput
          {...name}
          mt="sm"
          onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
        />
      )}
      {draft.mode === 'replay' && (
        <Autocomplete
          {...name}
          mt="sm"
          data={[...knownRecordings(props.projectId)]}
          onChange={(value) => onChange({ ...draft, name: value })}
        />
      )}
    </>
  );
}
