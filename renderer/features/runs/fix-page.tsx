import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import { statusText } from '../../ui/status-badge.tsx';
import './fix.css';
import '../../ui/plain-table.css';
import { Alert, Button, NumberInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { checkRecovery, recoverRun } from '../../../server/contract/dashboard/run-actions.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import type { RunOrigin } from '../../../server/contract/studio/test-runs.ts';
import { isJsonObject, type JsonObject } from '../../../server/kernel/json.ts';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { call } from '../../data/api-client.ts';
import { useLack } from '../../data/connections.ts';
import { useHindrance } from '../../data/operator.ts';
import { queryClient } from '../../data/query-client.ts';
import { runName } from '../../data/run-name.ts';
import { specInText } from '../../data/spec-text.ts';
import { useRunOrigins } from '../../data/use-run-origins.ts';
import { BulkDialog, type BulkJob } from '../../ui/bulk-dialog.tsx';
import { bulkItem } from '../../ui/bulk-item.ts';
import type { BulkItem } from '../../ui/bulk-work.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { NewerRead } from '../../ui/newer-read.tsx';
import { Page } from '../../ui/page.tsx';
import { shortRunId } from '../../ui/short-id.ts';
import { Unread } from '../../ui/unread.tsx';
import { fixingStore } from './fix-bar.tsx';
import { fitSum, hasStopped } from './fix-model.ts';
import { RenameFields, type Renames } from './fix-renames.tsx';
import { type FixText, useFixSource } from './fix-source.tsx';
import { FitFacts, FitTable, type RunCheck } from './fix-verdict.tsx';
import type { RunFacts } from './run-facts.ts';
import { runChanged, useRun, useRunFacts, useRunRecord } from './run-queries.ts';
import { RunText } from './run-text.tsx';
import { failurePlace } from './spec-place.ts';

const TYPING_MS = 500;
const CHECK = 'check-recovery';

/** Failed runs of one cause, the spec to mend, what would become of their steps, and carrying on. */
export function FixPage(props: {
  readonly runs: readonly string[];
  /** Keeps the input of a run where its draft is edited. */
  readonly onOpen: (origin: RunOrigin, run: RunDetail) => void;
}) {
  const { runs } = props;
  const [first = ''] = runs;
  const mayNot = useHindrance('launch');
  const lack = useLack('recover');
  const hindrance = lack ?? mayNot;
  const query = useRun(first);
  const record = useRunRecord(first);
  const facts = useRunFacts(first);
  const run = query.data;
  return (
    <Page
      title={t('Fix and carry on')}
      testId="fix-page"
      sub={
        runs.length === 1
          ? t('The same run goes on from its last checkpoint, under the spec that you mend')
          : t(
              '{count, plural, one {# run} other {# runs}} that stopped alike go on, each from its last checkpoint',
              { count: runs.length },
            )
      }
    >
      {first === '' && (
        <EmptyState title={t('No run is named')}>
          {t('Open a run that failed or timed out and fix it from there.')}
        </EmptyState>
      )}
      {hindrance !== undefined && (
        <EmptyState
          title={
            lack === undefined
              ? t('Your role does not give runs another spec')
              : t('This platform cannot do that')
          }
          testId="fix-shut"
        >
          {hindrance}
        </EmptyState>
      )}
      {first !== '' && run === undefined && <Unread query={query} rows={6} />}
      {hindrance === undefined && run !== undefined && facts === undefined && (
        <NewerRead query={record} rows={6} />
      )}
      {hindrance === undefined && run !== undefined && facts !== undefined && (
        <FixBody {...props} run={run} facts={facts} />
      )}
    </Page>
  );
}

interface BodyProps {
  readonly runs: readonly string[];
  readonly run: RunDetail;
  readonly facts: RunFacts;
  readonly onOpen: (origin: RunOrigin, run: RunDetail) => void;
}

function FixBody(props: BodyProps) {
  const { run, runs, facts } = props;
  const stopped = useStoppedStep(run, facts);
  const origin = useRunOrigins([run.session_id]).get(run.session_id ?? '');
  const { text, form } = useFixSource({
    facts,
    origin,
    path: failurePlace(facts.spec, { current_node_id: stopped }, facts),
    timedOut: run.status === 'timed_out',
    onOpen: (from) => {
      fixingStore.set(runs);
      props.onOpen(from, run);
    },
  });
  return (
    <>
      <section className="sw-run-section">
        <h2 className="sw-section-title">
          {rich('What went wrong in {link}', {
            link: (
              <AppLink to={paths.run(run.run_id)}>
                {runName(run, origin)} {shortRunId(run.run_id)}
              </AppLink>
            ),
          })}
        </h2>
        <RunText text={run.error ?? t('The run says nothing about it.')} tone="danger" />
        <details>
          <summary>{t('Its input')}</summary>
          <RunText text={run.input_text ?? ''} testId="fix-input" />
        </details>
      </section>
      <div className="sw-fix" data-many={runs.length > 1}>
        <section className="sw-run-section">
          <h2 className="sw-section-title">{t('The spec to go on with')}</h2>
          {form}
        </section>
        <Verdict runs={runs} text={text} name={runName(run, origin)} />
      </div>
    </>
  );
}

/** The step that a run stopped in: where it would go on under its own spec, else where it stood. */
function useStoppedStep({ run_id, current_node_id }: RunDetail, { spec }: RunFacts) {
  const own = isJsonObject(spec) ? spec : {};
  const { data } = useQuery({
    queryKey: [CHECK, run_id, 'own'],
    queryFn: ({ signal }) =>
      call(checkRecovery, { params: { run_id }, body: { spec: own } }, { signal }),
    // It stays so until the run goes on, which takes the answer away.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data?.fit.repeats ?? current_node_id;
}

/** What runs are given to go on with. */
interface Going {
  readonly spec: JsonObject;
  readonly renamed: Renames;
  /** Seconds from now on; absent = as many as they had. */
  readonly timeout?: number;
}

/** Asks for every run what would become of its steps. */
function useChecks(runs: readonly string[], going: Going | undefined): readonly RunCheck[] {
  const key = useMemo(() => JSON.stringify(going), [going]);
  return useQueries({
    queries: runs.map((run_id) => ({
      queryKey: [CHECK, run_id, key],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call(checkRecovery, { params: { run_id }, body: going ?? { spec: {} } }, { signal }),
      enabled: going !== undefined,
      // While a name is chosen the fields stay where they are.
      placeholderData: keepPreviousData,
      staleTime: 0,
      retry: false,
    })),
    combine: (results) =>
      results.map(({ data, error, isFetching }, at) => ({
        runId: runs[at] ?? '',
        fit: data?.fit,
        status: data?.status,
        timeoutSeconds: data?.timeout_seconds ?? null,
        masked: data?.masked === true,
        error,
        busy: isFetching,
      })),
  });
}

function Verdict(props: {
  readonly runs: readonly string[];
  readonly text: FixText;
  readonly name: string;
}) {
  const { runs, name } = props;
  const [text] = useDebouncedValue(props.text.text, TYPING_MS);
  const read = useMemo(() => specInText(text), [text]);
  const problem = props.text.problem ?? ('problem' in read ? read.problem : undefined);
  const spec = problem === undefined && 'spec' in read ? read.spec : undefined;
  const [renamed, setRenamed] = useState<Renames>({});
  const [seconds, setSeconds] = useState<number | string | undefined>(undefined);
  const [asked] = useDebouncedValue(seconds, TYPING_MS);
  const timeout = Number(asked) > 0 ? Number(asked) : undefined;
  const going = useMemo(
    () =>
      spec === undefined
        ? undefined
        : { spec, renamed, ...(timeout === undefined ? {} : { timeout }) },
    [spec, renamed, timeout],
  );
  const checks = useChecks(runs, going);
  const fits = checks.flatMap(({ fit }) => fit ?? []);
  const [only] = checks;
  return (
    <section className="sw-run-section" data-testid="fix-verdict">
      <h2 className="sw-section-title">{t('What becomes of the steps')}</h2>
      {problem !== undefined && (
        <Alert color="yellow" title={t('This is no spec yet')}>
          {problem}
        </Alert>
      )}
      {spec !== undefined && <RenameFields fits={fits} asked={renamed} onAsked={setRenamed} />}
      {spec !== undefined && runs.length === 1 && only !== undefined && <OneCheck check={only} />}
      {spec !== undefined && runs.length > 1 && <FitTable checks={checks} />}
      {spec !== undefined && <TimeField checks={checks} value={seconds} onValue={setSeconds} />}
      {going !== undefined && (
        <CarryOn
          checks={checks}
          going={going}
          name={name}
          // What was typed just now is not in the spec yet.
          behind={text !== props.text.text || asked !== seconds || props.text.busy}
        />
      )}
    </section>
  );
}

/** How long the runs may take from now on, where they have a limit. */
function TimeField(props: {
  readonly checks: readonly RunCheck[];
  /** As it was typed; empty for the time that the runs had. */
  readonly value: number | string | undefined;
  readonly onValue: (seconds: number | string) => void;
}) {
  const limits = props.checks.flatMap(({ timeoutSeconds }) => timeoutSeconds ?? []);
  if (limits.length === 0) {
    return null;
  }
  return (
    <NumberInput
      className="sw-fix-time"
      size="xs"
      label={t('Seconds that it may take from now on')}
      description={t('Counted anew from the moment it goes on')}
      min={1}
      value={props.value ?? Math.max(...limits)}
      onChange={props.onValue}
      data-testid="fix-timeout"
    />
  );
}

function OneCheck(props: { readonly check: RunCheck }) {
  const { check } = props;
  if (check.error !== null) {
    return (
      <ErrorState compact title={t('The run cannot go on under this spec')} error={check.error} />
    );
  }
  return check.fit === undefined ? (
    <p className="sw-faint">{t('Checking…')}</p>
  ) : (
    <>
      {check.masked && (
        <Alert color="yellow" mb="sm" title={t('Secrets of this run were masked when it failed')}>
          {t('Where [REDACTED] stands in what it saved, the run goes on with that word.')}
        </Alert>
      )}
      <FitFacts fit={check.fit} />
    </>
  );
}

/**
 * Carries runs on. One that stops again is not done: it can be tried again, as another attempt than
 * the one whose answer is known.
 */
function jobOf(items: readonly BulkItem[], going: Going): BulkJob<BulkItem> {
  const stopped = new Map<string, number>();
  return {
    title: t('Carry on with {count, plural, one {# run} other {# runs}}?', { count: items.length }),
    about: t(
      'The same runs go on from where they stopped, under this spec; what had ended stays done. The audit and each run keep which spec took whose place. Steps with effects outside happen now.',
    ),
    confirm: t('Carry on'),
    sum: (done, all) =>
      t('{done, plural, one {# run} other {# runs}} of {all} taken up again', { done, all }),
    again: (count) => t('Try {count, plural, one {# run} other {# runs}} again', { count }),
    items,
    work: async ({ id }, key) => {
      const before = stopped.get(id) ?? 0;
      const idempotencyKey = before === 0 ? key : `${key}-${before}`;
      const { status } = await call(
        recoverRun,
        { params: { run_id: id }, body: going },
        { idempotencyKey },
      );
      if (!hasStopped(status)) return statusText(status);
      stopped.set(id, before + 1);
      throw new Error(t('It went on and stopped again. Open it to see why.'));
    },
  };
}

function CarryOn(props: {
  readonly checks: readonly RunCheck[];
  readonly going: Going;
  readonly name: string;
  readonly behind: boolean;
}) {
  const { checks, going, name, behind } = props;
  const [job, setJob] = useState<BulkJob<BulkItem> | null>(null);
  const { checked, fitting } = fitSum(checks.map(({ fit }) => fit));
  const busy = behind || checks.some((check) => check.busy);
  const items = checks
    .filter(({ fit }) => fit?.fits === true)
    .map(({ runId }) => bulkItem({ run_id: runId }, name));
  return (
    <div className="sw-fix-actions">
      <Button
        leftSection={<IconPlayerTrackNext size={16} aria-hidden />}
        disabled={fitting === 0 || busy}
        onClick={() => setJob(jobOf(items, going))}
        data-testid="carry-on"
      >
        {rich('Carry on{value}…', {
          value:
            checks.length > 1 &&
            t(' with {count, plural, one {# run} other {# runs}}', { count: fitting }),
        })}
      </Button>
      {checks.length > 1 && (
        <span className="sw-faint">
          {rich(
            '{fitting} of {checked} checked {count, plural, one {run fits} other {runs fit}}{value}',
            {
              fitting,
              checked,
              count: checked,
              value:
                checked < checks.length &&
                t(', {count} not checked', { count: checks.length - checked }),
            },
          )}
        </span>
      )}
      {job !== null && (
        <BulkDialog
          job={job}
          onPass={() => {
            runChanged();
            void queryClient.invalidateQueries({ queryKey: [CHECK] });
          }}
          onClose={(rest) => {
            setJob(null);
            // Of what was begun with: what is done does not fit any more.
            const done = new Set(job.items.map(({ id }) => id).filter((id) => !rest.includes(id)));
            fixingStore.set((before) => before.filter((id) => !done.has(id)));
            const [only] = done;
            if (checks.length === 1 && only !== undefined) {
              navigateTo(paths.run(only));
            }
          }}
        />
      )}
    </div>
  );
}
