import { Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useAction } from '../../data/use-action.ts';
import { localStore } from '../../desktop/local-store.ts';
import { AskForm } from '../../ui/ask-form.tsx';
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
  const starting = useAction(async () => {
    localStore.set(inputKey, input);
    rememberRecording(artifact.project_id, recording);
    const run = await trackWork(
      'Starting run',
      startRun(artifact.project_id, artifact.id, input, choiceOf(recording)),
    );
    notifyDone('Run started');
    props.onClose();
    navigateTo(run.platform_run_id === null ? paths.runs() : paths.run(run.platform_run_id));
  });
  return (
    <Modal opened onClose={props.onClose} title="Run" size="lg">
      <AskForm
        action={starting}
        failure="The run was not started"
        label="Start run"
        ready={isReady(recording)}
        testId="run"
      >
        <Textarea
          label="Input"
          description={`Runs artifact ${artifact.id.slice(0, 8)} on ${artifact.alias}, generation ${artifact.alias_generation}`}
          value={input}
          onChange={(event) => setInput(event.currentTarget.value)}
          autosize
          minRows={3}
          maxRows={14}
          data-autofocus
          data-testid="run-input"
        />
        <RecordingField projectId={artifact.project_id} draft={recording} onChange={setRecording} />
      </AskForm>
    </Modal>
  );
}
