import { t } from '../../../preload/texts/t.ts';
import { actorName } from '../../ui/actor-name.ts';
import { rich } from '../../ui/rich.ts';
import '../../ui/plain-table.css';
import { Button, Group, Modal, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import {
  type Annotation,
  createAnnotation,
} from '../../../server/contract/dashboard/annotations.ts';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { call } from '../../data/api-client.ts';
import { useLack } from '../../data/connections.ts';
import { type Hindrance, useHindrance } from '../../data/operator.ts';
import type { BulkJob } from '../../ui/bulk-dialog.tsx';
import { bulkItem } from '../../ui/bulk-item.ts';
import type { BulkItem } from '../../ui/bulk-work.ts';
import { againJob, continueJob } from '../../ui/run-jobs.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { RunLink } from './audit-parts.tsx';
import { type Cluster, causeOf, DEALT_TAG, type FailedRun } from './failures-model.ts';

const SAMPLES = 4;

interface FailureProps {
  readonly cluster: Cluster;
  readonly trend: readonly number[];
  /** Runs that somebody dealt with, and the note that says so. */
  readonly dealt: ReadonlyMap<string, Annotation>;
  readonly since: string | undefined;
  /** All runs are listed. */
  readonly isOpen: boolean;
  readonly onJob: (job: BulkJob<BulkItem>) => void;
}

/** Failures of one cause: what they say, when they happened, and what can be done with all of them. */
export function Failure(props: FailureProps) {
  const { cluster, dealt, since, isOpen } = props;
  const { name, error, runs } = cluster;
  const [newest] = runs;
  const done = runs.filter(({ run_id }) => dealt.has(run_id)).length;
  const all = paths.failures({ since, cause: causeOf(cluster) });
  return (
    <section className="sw-failure" data-testid="failure">
      <header>
        <h2 className="sw-section-title">{name}</h2>
        <Trend counts={props.trend} />
        <strong>{t('{count, plural, one {# run} other {# runs}}', { count: runs.length })}</strong>
      </header>
      <p className="sw-mono">{error === '' ? t('The run says nothing about it.') : error}</p>
      <p className="sw-faint">
        {rich('Last {time}: {runs}{link}{part}', {
          time: <TimeAgo at={newest?.updated_at} />,
          runs: runs.slice(0, SAMPLES).map(({ run_id }) => (
            <span key={run_id}>
              <RunLink runId={run_id} />{' '}
            </span>
          )),
          link: !isOpen && (
            <AppLink to={all}>
              {t('{count, plural, one {the one run} other {all # runs}} of this cause', {
                count: runs.length,
              })}
            </AppLink>
          ),
          part: done > 0 && (
            <span data-testid="failure-dealt">
              {' '}
              ·{' '}
              {done === runs.length
                ? t('dealt with')
                : t('{done} of {count} dealt with', { done, count: runs.length })}
            </span>
          ),
        })}
      </p>
      <Choices {...props} />
      {isOpen && <Runs runs={runs} dealt={dealt} />}
    </section>
  );
}

function Trend({ counts }: { readonly counts: readonly number[] }) {
  const largest = Math.max(1, ...counts);
  return (
    <div
      className="sw-trend"
      role="img"
      aria-label={t('From the oldest failure to now: {counts}', { counts: counts.join(', ') })}
    >
      {counts.map((count, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a span of time is its place
        <i key={at} style={{ height: `${(100 * count) / largest}%` }} />
      ))}
    </div>
  );
}

function Choices({ cluster, dealt, onJob }: FailureProps) {
  const control = useHindrance('run.control');
  const mayNotLaunch = useHindrance('launch');
  const mending = useLack('recover') ?? mayNotLaunch;
  const continuing = useLack('continue') ?? control;
  const rerunning = useLack('rerun') ?? control;
  const annotate = useHindrance('annotate');
  const [isNoting, setNoting] = useState(false);
  const open = cluster.runs.filter(({ run_id }) => !dealt.has(run_id));
  const items = open.map((run) => bulkItem(run, cluster.name));
  if (open.length === 0) {
    return null;
  }
  return (
    <Group gap="xs" mt={8}>
      <Choice
        hindrance={continuing}
        onChoose={() => onJob(continueJob(items))}
        testId="failure-continue"
      >
        {t('Continue {count}…', { count: open.length })}
      </Choice>
      <Choice hindrance={rerunning} onChoose={() => onJob(againJob(items))} testId="failure-again">
        {t('Run again {count}…', { count: open.length })}
      </Choice>
      <Choice
        hindrance={mending}
        onChoose={() => navigateTo(paths.fix(open.map((run) => run.run_id)))}
        testId="failure-fix"
      >
        {t('Fix and carry on…')}
      </Choice>
      <Choice hindrance={annotate} onChoose={() => setNoting(true)} testId="failure-deal">
        {t('Dealt with…')}
      </Choice>
      {isNoting && (
        <NoteDialog
          count={open.length}
          onClose={() => setNoting(false)}
          onSay={(words) => {
            setNoting(false);
            onJob(dealtJob(items, words));
          }}
        />
      )}
    </Group>
  );
}

/** One thing that can be done with all runs of a cause; disabled where the role does not allow it. */
function Choice(props: {
  readonly hindrance: Hindrance;
  readonly onChoose: () => void;
  readonly testId: string;
  readonly children: ReactNode;
}) {
  return (
    <Button
      size="compact-xs"
      variant="default"
      disabled={props.hindrance !== undefined}
      title={props.hindrance}
      onClick={props.onChoose}
      data-testid={props.testId}
    >
      {props.children}
    </Button>
  );
}

/** Notes on each run that it is dealt with, and how. */
function dealtJob(items: readonly BulkItem[], body: string): BulkJob<BulkItem> {
  return {
    title: t('Note on {count, plural, one {# run} other {# runs}} that it is dealt with?', {
      count: items.length,
    }),
    about: t(
      'Each gets the note “{body}”. It leaves the list of open failures until it fails again.',
      { body },
    ),
    confirm: t('Note it'),
    sum: (done, all) =>
      t('{done, plural, one {# run} other {# runs}} of {all} noted', { done, all }),
    again: (count) => t('Try {count, plural, one {# run} other {# runs}} again', { count }),
    items,
    work: async ({ id }) => {
      await call(createAnnotation, {
        params: { run_id: id },
        body: { body, tags: [DEALT_TAG] },
      });
      return '';
    },
  };
}

function NoteDialog(props: {
  readonly count: number;
  readonly onSay: (words: string) => void;
  readonly onClose: () => void;
}) {
  const [words, setWords] = useState('');
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('{count, plural, one {# failure} other {# failures}} dealt with', {
        count: props.count,
      })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          props.onSay(words.trim());
        }}
      >
        <Textarea
          label={t('How')}
          description={t('Stands as a note on each run, for everybody.')}
          placeholder={t('Fixed in the spec, the mail server is up again, …')}
          value={words}
          maxLength={2_000}
          autosize
          minRows={2}
          onChange={(event) => setWords(event.currentTarget.value)}
          data-autofocus
          data-testid="deal-words"
        />
        <Group justify="flex-end" mt="md">
          <Button type="submit" disabled={words.trim() === ''} data-testid="deal-submit">
            {t('Go on')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

function Runs(props: {
  readonly runs: readonly FailedRun[];
  readonly dealt: ReadonlyMap<string, Annotation>;
}) {
  return (
    <table className="sw-plain-table" aria-label={t('Runs of this cause')}>
      <thead>
        <tr>
          <th scope="col">{t('Run')}</th>
          <th scope="col">{t('Failed')}</th>
          <th scope="col">{t('Went in')}</th>
          <th scope="col">{t('It says')}</th>
          <th scope="col">{t('Dealt with')}</th>
        </tr>
      </thead>
      <tbody>
        {props.runs.map(({ run_id, updated_at, input_preview, error_preview }) => {
          const note = props.dealt.get(run_id);
          return (
            <tr key={run_id}>
              <td className="sw-unbroken">
                <RunLink runId={run_id} />
              </td>
              <td className="sw-unbroken">
                <TimeAgo at={updated_at} />
              </td>
              <td>{input_preview ?? '–'}</td>
              <td>{error_preview ?? '–'}</td>
              <td>
                {note === undefined ? t('no') : `${note.body} (${actorName(note.created_by)})`}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
