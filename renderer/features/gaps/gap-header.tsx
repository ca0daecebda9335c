import { Button, Popover, Progress } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import type { AnalysisView } from '../../../server/contract/studio/analyses.ts';
import { AppLink } from '../../app/app-link.tsx';
import { rich } from '../../ui/rich.ts';
import { SERVICE_TEXT } from '../../ui/service-text.tsx';
import { type GapContext, type GapProgress, leftToDo } from './gap-model.ts';
import { gapsOf, TroubleWay } from './review/analysis-list.tsx';
import { openText } from './review/analysis-words.tsx';
import { troubleOf } from './review/review-model.ts';

/** How far the way to "nothing blocks export" is, and what is left on it. */
export function GapHeader(props: {
  readonly projectId: string;
  readonly context: GapContext;
  readonly progress: GapProgress;
}) {
  const { context, projectId } = props;
  const { entry } = context;
  const trouble = entry === undefined ? undefined : troubleOf(entry);
  return (
    <div className="sw-gap-progress" data-testid="gap-progress">
      <ProgressLine progress={props.progress} context={context} />
      {context.analysis.analyzer_age === 'older' && (
        <span className="sw-faint">
          {t('Found by an earlier version. Import again to look anew.')}
        </span>
      )}
      {entry !== undefined && trouble !== undefined && trouble.code !== 'as_imported' && (
        <span className="sw-gap-trouble" data-testid="gap-trouble" data-code={trouble.code}>
          {trouble.text} <TroubleWay projectId={projectId} entry={entry} way={trouble.way} />
        </span>
      )}
      <Elsewhere {...props} />
    </div>
  );
}

/** Nothing is left here, and another import of the draft still holds it back. */
function Elsewhere(props: {
  readonly projectId: string;
  readonly context: GapContext;
  readonly progress: GapProgress;
}) {
  const { elsewhere } = props.context;
  const { settled, total } = props.progress;
  return elsewhere === undefined || settled < total ? null : (
    <span data-testid="open-elsewhere">
      {rich('Another import of the draft has {open}. <link>Review it</link>', {
        open: openText(elsewhere),
        link: (text) => (
          <AppLink to={gapsOf(props.projectId, elsewhere)} testId="review-other">
            {text}
          </AppLink>
        ),
      })}
    </span>
  );
}

function ProgressLine(props: { readonly progress: GapProgress; readonly context: GapContext }) {
  const { progress, context } = props;
  const { settled, total } = progress;
  const left = leftToDo(progress, context);
  const percent = total === 0 ? 100 : (settled / total) * 100;
  return (
    <>
      <Progress
        value={percent}
        w={120}
        size="sm"
        color={left.length === 0 ? 'green' : 'accent'}
        aria-label={t('Settled gaps')}
      />
      <span role="status">
        {left.length === 0
          ? context.elsewhere === undefined
            ? t('No gap blocks export')
            : t('No gap of this import blocks export')
          : t('{settled} of {total} settled. Left: {left}.', {
              settled,
              total,
              left: left.join('; '),
            })}
      </span>
    </>
  );
}

/** Advice that is about the whole import. */
export function GeneralSuggestions(props: { readonly analysis: AnalysisView }) {
  const general = props.analysis.suggestions.filter(({ spec_ref }) => spec_ref === null);
  return general.length === 0 ? null : (
    <Popover width={360} position="bottom-end" withArrow trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconBulb size={16} />} data-testid="suggestions">
          {t('{count, plural, one {One suggestion} other {# suggestions}}', {
            count: general.length,
          })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {general.map((suggestion) => (
          <div key={suggestion.id} {...SERVICE_TEXT}>
            <strong>{suggestion.title}</strong>
            <p>{suggestion.detail}</p>
            <p className="sw-faint">{suggestion.rationale}</p>
          </div>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
