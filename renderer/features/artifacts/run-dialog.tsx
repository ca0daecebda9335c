import { Modal } from '@mantine/core';
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { paths } from '../../app/paths.ts';
import { useRunsElsewhere } from '../../data/remote-runs.ts';
import { useAction } from '../../data/use-action.ts';
import type { ArtifactFlight } from '../../environments/artifact-preflight.tsx';
import { RunNeeds } from '../../environments/run-needs.tsx';
import type { FlowTrigger } from '../../run-input/flow-input.ts';
import { RunInput } from '../../run-input/run-input.tsx';
import { inputSent, useRunInput } from '../../run-input/use-run-input.ts';
import { AskForm } from '../../ui/ask-form.tsx';
import { leadOn } from '../../ui/lead-on.ts';
import { ListSkeleton } from '../../ui/page.tsx';
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

/** Reads what a run of an artifact may begin with: undefined until that is known. */
export type FlowOfArtifact = ComponentType<{
  readonly projectId: string;
  readonly artifactId: string;
  readonly children: (flow: readonly FlowTrigger[] | null | undefined) => ReactNode;
}>;

interface RunDialogProps {
  readonly artifact: AuthoredArtifact;
  readonly flow: FlowOfArtifact;
  /** Of the generation that it is frozen to. */
  readonly flight: ArtifactFlight;
  readonly onClose: () => void;
}

/** Asks for the input, by the form of the trigger where there is one, and starts a run. */
export function RunDialog(props: RunDialogProps) {
  const { artifact, flow: Flow } = props;
  const elsewhere = useRunsElsewhere();
  if (elsewhere !== undefined) {
    return (
      <Modal opened onClose={props.onClose} title={t('Run')} size="lg">
        <p data-testid="run-bound-here">
          {t(
            'An artifact runs on the platform that it is frozen to, and that is one of this computer. This window is on {name}: connect it to this computer in the title bar, or run the draft itself, which goes to {name}.',
            { name: elsewhere.name },
          )}
        </p>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={props.onClose} title={t('Run')} size="lg">
      <Flow projectId={artifact.project_id} artifactId={artifact.id}>
        {(flow) =>
          flow === undefined ? <ListSkeleton rows={4} /> : <RunForm {...props} triggers={flow} />
        }
      </Flow>
    </Modal>
  );
}

/** Starts a run on the bound platform and goes to it. */
function RunForm(props: RunDialogProps & { readonly triggers: readonly FlowTrigger[] | null }) {
  const { artifact, triggers } = props;
  const { input, trigger, ...asked } = useRunInput(
    artifact.project_id,
    artifact.base.path,
    triggers,
  );
  // The dialog opened before the form was there, so the form takes the focus itself.
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  const [problem, setProblem] = useState<string | null>(null);
  const [recording, setRecording] = useState<RecordingDraft>(() =>
    newRecording(artifact.base.path),
  );
  const starting = useAction(async () => {
    const fault = asked.fault();
    setProblem(fault);
    if (fault !== null) return;
    asked.remember();
    rememberRecording(artifact.project_id, recording);
    const lead = leadOn();
    const sent = inputSent(input, trigger);
    const run = await trackWork(
      t('Starting run'),
      startRun(artifact.project_id, artifact.id, sent, choiceOf(recording)),
    );
    props.onClose();
    const { platform_run_id: id } = run;
    lead(t('Run started'), id === null ? paths.runs() : paths.run(id));
  });
  return (
    <AskForm
      action={starting}
      failure={t('The run was not started')}
      label={t('Start run')}
      ready={isReady(recording)}
      testId="run"
    >
      <RunInput
        flow={triggers}
        trigger={trigger}
        onTrigger={asked.setTrigger}
        input={input}
        onInput={(next) => {
          asked.setInput(next);
          setProblem(null);
        }}
        problem={problem}
        inputRef={first}
        testId="run"
        hint={t('Runs artifact {id} on {alias}, generation {alias_generation}', {
          id: artifact.id.slice(0, 8),
          alias: artifact.alias,
          alias_generation: artifact.alias_generation,
        })}
      />
      <RunNeeds projectId={artifact.project_id} alias={artifact.alias} {...props.flight} />
      <RecordingField projectId={artifact.project_id} draft={recording} onChange={setRecording} />
    </AskForm>
  );
}
