import { Button, Group, Modal, NativeSelect, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { type CheckedRun, type Expectation, expectationFault } from './case-check.ts';

const STATES: readonly { value: Expectation['status']; label: string }[] = [
  { value: 'completed', label: t('It completes') },
  { value: 'failed', label: t('It fails') },
  { value: 'blocked', label: t('It waits for a person') },
  { value: 'any', label: t('However it ends') },
];

type How = NonNullable<Expectation['output']>['how'];
const HOWS: readonly { value: How | ''; label: string }[] = [
  { value: '', label: t('does not matter') },
  { value: 'equals', label: t('is this text') },
  { value: 'contains', label: t('contains this text') },
  { value: 'json', label: t('is JSON that has at least this') },
];

/** What the run of a case is to come to; what its last run came to can be taken over. */
export function CaseExpectation(props: {
  readonly name: string;
  readonly expected: Expectation | null;
  /** The last run of the case, once it is over. */
  readonly last: CheckedRun | undefined;
  readonly onKeep: (expected: Expectation | null) => void;
  readonly onClose: () => void;
}) {
  const { last, onKeep } = props;
  const [status, setStatus] = useState<Expectation['status']>(
    props.expected?.status ?? 'completed',
  );
  const [how, setHow] = useState<How | ''>(props.expected?.output?.how ?? '');
  const [text, setText] = useState(props.expected?.output?.text ?? '');
  const expected: Expectation = { status, output: how === '' ? null : { how, text } };
  const fault = expectationFault(expected);
  const keep = (event: FormEvent): void => {
    event.preventDefault();
    if (fault === null) onKeep(expected);
  };
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('What is expected of {name}', { name: props.name })}
    >
      <form onSubmit={keep} data-testid="case-expectation">
        <NativeSelect
          label={t('The run')}
          value={status}
          data={[...STATES]}
          onChange={(event) =>
            setStatus(
              STATES.find(({ value }) => value === event.currentTarget.value)?.value ?? 'any',
            )
          }
          data-autofocus
          data-testid="expected-status"
        />
        <NativeSelect
          mt="xs"
          label={t('Its output')}
          value={how}
          data={[...HOWS]}
          onChange={(event) =>
            setHow(HOWS.find(({ value }) => value === event.currentTarget.value)?.value ?? '')
          }
          data-testid="expected-how"
        />
        {how !== '' && (
          <Textarea
            mt="xs"
            label={how === 'json' ? t('JSON') : t('Text')}
            description={
              how === 'json'
                ? t('Objects may have more keys; lists have as many items.')
                : undefined
            }
            error={fault}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autosize
            minRows={2}
            maxRows={8}
            data-testid="expected-text"
          />
        )}
        <Group justify="space-between" mt="md">
          <Group gap="xs">
            {last !== undefined && (
              <Button
                variant="subtle"
                size="xs"
                onClick={() => {
                  setStatus(STATES.find(({ value }) => value === last.status)?.value ?? 'any');
                  setHow('equals');
                  setText(last.output_text ?? '');
                }}
              >
                {t('As in the last run')}
              </Button>
            )}
            {props.expected !== null && (
              <Button variant="subtle" size="xs" color="red" onClick={() => onKeep(null)}>
                {t('Expect nothing')}
              </Button>
            )}
          </Group>
          <Group gap="xs">
            <Button variant="default" onClick={props.onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" disabled={fault !== null} data-testid="expected-keep">
              {t('Keep')}
            </Button>
          </Group>
        </Group>
      </form>
    </Modal>
  );
}
