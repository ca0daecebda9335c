import { IconAlertTriangle, IconPlayerRecord, IconRepeat } from '@tabler/icons-react';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { Notice } from '../../ui/notice.tsx';
import { shortRunId } from '../../ui/short-id.ts';
import { editedWords } from './rerun-model.ts';
import type { RunFacts } from './run-facts.ts';

/** What a person must know before trusting the output: stand-ins, recordings, an edited origin. */
export function RunNotices(props: {
  readonly facts: RunFacts;
  readonly runId: string;
  /** The offline runtime answered instead of a model. */
  readonly offline: boolean;
}) {
  const { modelWarning, recording, rerunOf } = props.facts;
  return (
    <>
      {modelWarning !== null && (
        <Notice
          tone="warning"
          testId="model-warning"
          icon={<IconAlertTriangle size={16} aria-hidden />}
        >
          {modelWarning}
          {props.offline && (
            <>
              {' '}
              <span className="sw-unbroken">
                <AppLink to={paths.settings()}>Set a key…</AppLink>
              </span>
            </>
          )}
        </Notice>
      )}
      {recording !== null && (
        <Notice tone="info" testId="recording" icon={<IconPlayerRecord size={16} aria-hidden />}>
          {recording.mode === 'replay'
            ? 'Models and tools answered from the recording '
            : 'Models and tools are recorded as '}
          <code>{recording.name}</code>
          {recording.mode === 'replay' && ': no provider was asked.'}
        </Notice>
      )}
      {rerunOf !== null && (
        <Notice tone="info" testId="rerun-of" icon={<IconRepeat size={16} aria-hidden />}>
          Run again from{' '}
          {rerunOf.sequence === null ? 'a checkpoint' : `checkpoint ${rerunOf.sequence}`} of{' '}
          <AppLink to={paths.run(rerunOf.runId)}>{shortRunId(rerunOf.runId)}</AppLink>
          {rerunOf.edited.length > 0 && `, with ${editedWords(rerunOf.edited)} edited`}. What had
          ended before was not run again.{' '}
          <AppLink to={paths.compare(rerunOf.runId, props.runId)}>Compare both</AppLink>
        </Notice>
      )}
    </>
  );
}
