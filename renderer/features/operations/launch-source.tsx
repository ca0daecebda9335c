import { Button, FileButton, Group, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { Action } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyError } from '../../ui/notify.tsx';
import type { LaunchSource } from './launch-model.ts';

/** What is launched, and where. */
export function LaunchSourceForm(props: {
  readonly source: LaunchSource;
  readonly onChange: (source: LaunchSource) => void;
  readonly environment: string;
  readonly onEnvironment: (name: string) => void;
  readonly problem: string | undefined;
  readonly ready: boolean;
  readonly checking: Action;
}) {
  const { source, onChange, checking } = props;
  const open = (file: File | null): void => {
    file?.text().then(
      (text) => onChange({ ...source, kind: 'text', text }),
      (error: unknown) => notifyError('The file was not read', error),
    );
  };
  return (
    <form
      className="sw-operate-section"
      onSubmit={(event) => {
        event.preventDefault();
        checking.start();
      }}
    >
      <Group mb="xs" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="Where the spec comes from"
          value={source.kind}
          onChange={(kind) => onChange({ ...source, kind: kind === 'path' ? 'path' : 'text' })}
          data={[
            { value: 'text', label: 'Spec' },
            { value: 'path', label: 'File of the platform' },
          ]}
        />
        <FileButton accept=".yaml,.yml,.json" onChange={open}>
          {(button) => (
            <Button size="xs" variant="default" {...button}>
              Open a file…
            </Button>
          )}
        </FileButton>
      </Group>
      {source.kind === 'text' ? (
        <Textarea
          label="Spec"
          description="YAML or JSON"
          error={props.problem}
          value={source.text}
          onChange={(event) => onChange({ ...source, text: event.currentTarget.value })}
          autosize
          minRows={6}
          maxRows={18}
          spellCheck={false}
          classNames={{ input: 'sw-mono' }}
          data-testid="launch-text"
        />
      ) : (
        <TextInput
          label="Path"
          description="A file below the folder from which the platform reads specs"
          value={source.path}
          onChange={(event) => onChange({ ...source, path: event.currentTarget.value })}
          data-testid="launch-path"
        />
      )}
      <Group align="flex-end" mt="sm" gap="sm">
        <TextInput
          label="Environment"
          placeholder="none"
          value={props.environment}
          onChange={(event) => props.onEnvironment(event.currentTarget.value)}
          data-testid="launch-environment"
        />
        <Button
          type="submit"
          disabled={!props.ready}
          loading={checking.busy}
          data-testid="launch-check"
        >
          Check
        </Button>
      </Group>
      {checking.error !== undefined && (
        <ErrorState compact title="It was not checked" error={checking.error} />
      )}
    </form>
  );
}
