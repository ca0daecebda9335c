import { Button, Group, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { localStore } from '../../desktop/local-store.ts';
import { CapabilityFindings } from '../../ui/capability-findings.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { trackWork } from '../../workbench/work-store.ts';
import { startRun } from './artifact-queries.ts';
import { RecordingField } from './recording-field.tsx';
import {
  choiceOf,
  isReady,
  newRecording,
  type RecordingDraft,
  rememberRecording,
} from './recording-model.ts';

/** Asks for the input, starts a run on the bound platform and goes to it. */
export function RunDialog(props: {
  readonly artifact: AuthoredArtifact;
  readonly onClose: () => void;
}) {
  const { artifact } = props;
  const inputKey = `run-input:${artifact.project_id}\n${artifact.base.path}`;
  const [input, setInput] = useState(localStore.get(inputKey) ?? '');
  const [recording, setRecording] = useState<RecordingDraft>(() =>
    newRecording(artifact.base.path),
  );
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const start = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    localStore.set(inputKey, input);
    rememberRecording(artifact.project_id, recording);
    try {
      const run = await trackWork(
        'Starting run',
        startRun(artifact.project_id, artifact.id, input, choiceOf(recording)),
      );
      notifyDone('Run started');
      props.onClose();
      navigateTo(run.platform_run_id === null ? paths.runs() : paths.run(run.platform_run_id));
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={props.onClose} title="Run" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <Textarea
          label="Input"
          description={`Runs artifact ${artifact.id.slice(0, 8)} on ${artifact.alias}`}
          value={input}
          onChange={(event) => setInput(event.currentTarget.value)}
          autosize
          minRows={3}
          maxRows={14}
          data-autofocus
          data-testid="run-input"
        />
        <RecordingField projectId={artifact.project_id} draft={recording} onChange={setRecording} />
        {error !== undefined && (
          <>
            <ErrorState compact title="The run was not started" error={error} />
            <CapabilityFindings error={error} />
          </>
        )}
        <Group justify="flex-end" mt="md">
          <Button
            type="submit"
            loading={busy}
            disabled={!isReady(recording)}
            data-testid="run-submit"
          >
            Start run
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
