import { Button, Popover, Progress } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import type { AnalysisView } from '../../../server/contract/studio/analyses.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import { type GapContext, type GapProgress, leftToDo } from './gap-model.ts';

/** The draft that the gaps belong to, and how far the way to "nothing blocks export" is. */
export function GapHeader(props: {
  readonly projectId: string;
  readonly context: GapContext;
  readonly progress: GapProgress;
}) {
  const { projectId, context } = props;
  const { draft, analysis } = context;
  return (
    <div className="sw-gap-progress" data-testid="gap-progress">
      {draft !== undefined && (
        <AppLink to={paths.draft(projectId, draft.path)}>{fileName(draft.path)}</AppLink>
      )}
      <ProgressLine progress={props.progress} context={context} />
      {analysis.analyzer_age === 'older' && (
        <span className="sw-faint">Found by an earlier version. Import again to look anew.</span>
      )}
    </div>
  );
}

function ProgressLine(props: { readonly progress: GapProgress; readonly context: GapContext }) {
  const { progress, context } = props;
  const { settled, total } = progress;
  const left = leftToDo(progress, context);
  const percent = total === 0 ? 100 : (settled / total) * 100;
  return (
    <span className="sw-gap-bar">
      <Progress
        value={percent}
        w={120}
        size="sm"
        color={left.length === 0 ? 'green' : 'accent'}
        aria-label="Settled gaps"
      />
      <span role="status">
        {left.length === 0
          ? 'No gap blocks export'
          : `${settled} of ${total} settled. Left: ${left.join('; ')}.`}
      </span>
    </span>
  );
}

/** Advice that is about the whole import. */
export function GeneralSuggestions(props: { readonly analysis: AnalysisView }) {
  const general = props.analysis.suggestions.filter(({ spec_ref }) => spec_ref === null);
  return general.length === 0 ? null : (
    <Popover width={360} position="bottom-end" withArrow trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconBulb size={16} />} data-testid="suggestions">
          {general.length === 1 ? 'One suggestion' : `${general.length} suggestions`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {general.map((suggestion) => (
          <div key={suggestion.id}>
            <strong>{suggestion.title}</strong>
            <p>{suggestion.detail}</p>
            <p className="sw-faint">{suggestion.rationale}</p>
          </div>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
