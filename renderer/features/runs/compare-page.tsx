import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './compare.css';
import { Button } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { runName } from '../../data/run-name.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NewerRead } from '../../ui/newer-read.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { readableText } from '../../ui/readable-text.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { type ComparedRun, factPairs, oldestFirst, stepPairs } from './compare-model.ts';
import { CompareSteps } from './compare-steps.tsx';
import { RunUnread } from './run-missing.tsx';
import { useRun, useRunFacts, useRunRecord, useSavedStates } from './run-queries.ts';
import { RunText } from './run-text.tsx';

function useCompared(runId: string) {
  const run = useRun(runId);
  const facts = useRunFacts(runId);
  const record = useRunRecord(runId);
  const { replay, states } = useSavedStates(runId);
  const side: ComparedRun | null =
    run.data === undefined || facts === undefined ? null : { run: run.data, facts, states };
  return { side, query: run, record, pending: side === null || replay.isPending };
}

/** Two runs beside each other: what differs in their facts, their path, their texts. */
export function ComparePage(props: { readonly a: string; readonly b: string }) {
  const { a, b } = props;
  const both = a !== '' && b !== '';
  return (
    <Page title={t('Compare two runs')} testId="compare-page">
      {both ? (
        <Comparison key={`${a} ${b}`} a={a} b={b} />
      ) : (
        <EmptyState
          icon={<IconArrowsDiff size={32} stroke={1.25} />}
          title={t('Choose two runs')}
          actions={
            <Button size="xs" variant="default" onClick={() => navigateTo(paths.runs())}>
              {t('Go to the runs')}
            </Button>
          }
        >
          {t('Select two runs of the list, then Compare.')}
        </EmptyState>
      )}
    </Page>
  );
}

function Comparison(props: { readonly a: string; readonly b: string }) {
  const one = useCompared(props.a);
  const two = useCompared(props.b);
  const failed = [one, two].find(
    ({ query }) => query.errorUpdatedAt > 0 && query.data === undefined,
  );
  if (failed !== undefined) {
    return <RunUnread query={failed.query} />;
  }
  const unread = [one, two].find(({ record }) => record.isError && record.data === undefined);
  if (unread !== undefined) {
    return <NewerRead query={unread.record} rows={6} />;
  }
  if (one.side === null || two.side === null || one.pending || two.pending) {
    return <ListSkeleton rows={10} />;
  }
  const [left, right] = oldestFirst(one.side, two.side);
  return (
    <div className="sw-compare">
      <Heads left={left} right={right} />
      <Facts left={left} right={right} />
      <CompareSteps pairs={stepPairs(left, right)} />
      <Texts title={t('Spec')} hideSame left={specText(left)} right={specText(right)} />
      <Texts
        title={t('Input')}
        left={left.run.input_text ?? ''}
        right={right.run.input_text ?? ''}
      />
      <Texts
        title={t('Output')}
        left={left.run.output_text ?? ''}
        right={right.run.output_text ?? ''}
      />
    </div>
  );
}

/** The spec as it was frozen for the run. */
function specText({ facts }: ComparedRun): string {
  return Object.keys(facts.spec).length === 0 ? '' : JSON.stringify(facts.spec, null, 2);
}

interface Sides {
  readonly left: ComparedRun;
  readonly right: ComparedRun;
}

function Heads(props: Sides) {
  return (
    <div className="sw-compare-heads">
      {[props.left, props.right].map(({ run }, index) => (
        <article key={index === 0 ? 'left' : 'right'} data-testid={`compare-${index}`}>
          <AppLink to={paths.run(run.run_id)}>
            {runName(run)} <code>{shortRunId(run.run_id)}</code>
          </AppLink>
          <span className="sw-run-line">
            <StatusBadge status={run.status} />
            <span className="sw-faint">
              {rich('started {time}', { time: <TimeAgo at={run.created_at} /> })}
            </span>
          </span>
        </article>
      ))}
    </div>
  );
}

function Facts(props: Sides) {
  const pairs = factPairs(props.left, props.right);
  const differing = pairs.filter(({ differs }) => differs).length;
  return (
    <section>
      <h2 className="sw-section-title">
        {rich('Facts {part}', {
          part: (
            <span className="sw-faint">
              {differing === 0
                ? t('all the same')
                : t('{differing} of {count} differ', { differing, count: pairs.length })}
            </span>
          ),
        })}
      </h2>
      <table className="sw-compare-table" data-testid="compare-facts">
        <tbody>
          {pairs.map(({ name, left, right, differs, delta }) => (
            <tr key={name} data-differs={differs}>
              <th scope="row">
                {name}
                {differs && <span className="sw-visually-hidden"> {t('differs')}</span>}
              </th>
              <td>{left || '–'}</td>
              <td>
                {right || '–'}
                {delta !== undefined && <strong className="sw-compare-delta"> {delta}</strong>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Texts(props: {
  readonly title: string;
  readonly left: string;
  readonly right: string;
  /** A text that is the same on both sides is not shown. */
  readonly hideSame?: boolean;
}) {
  const { title, left, right } = props;
  const same = left === right;
  return (
    <section data-testid={`compare-${title.toLowerCase()}`}>
      <h2 className="sw-section-title">
        {title} {same && <span className="sw-faint">{t('the same')}</span>}
      </h2>
      {same && props.hideSame === true ? null : same ? (
        <RunText text={left} />
      ) : (
        <DiffView
          label={t('{title}: what differs', { title })}
          before={readableText(left)}
          after={readableText(right)}
        />
      )}
    </section>
  );
}
