import { IconAlertTriangle, IconPlayerRecord, IconRepeat } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { editedWords } from './rerun-model.ts';
import type { RunFacts } from './run-facts.ts';

function Notice(props: {
  readonly tone: 'warning' | 'info';
  readonly icon: ReactNode;
  readonly testId: string;
  readonly children: ReactNode;
}) {
  return (
    <p className="sw-notice" data-tone={props.tone} data-testid={props.testId}>
      {props.icon}
      <span>{props.children}</span>
    </p>
  );
}

/** What a person must know before trusting the output: stand-ins, recordings, an edited origin. */
export function RunNotices(props: { readonly facts: RunFacts }) {
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
          <AppLink to={paths.run(rerunOf.runId)}>{rerunOf.runId.slice(0, 8)}</AppLink>
          {rerunOf.edited.length > 0 && `, with ${editedWords(rerunOf.edited)} edited`}. What had
          ended before was not run again.
        </Notice>
      )}
    </>
  );
}
