import './fix.css';
import '../../ui/plain-table.css';
import { Alert, Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { checkRecovery, recoverRun } from '../../../server/contract/dashboard/run-actions.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import type { RunOrigin } from '../../../server/contract/studio/test-runs.ts';
import type { JsonObject } from '../../../server/kernel/json.ts';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { call } from '../../data/api-client.ts';
import { useHindrance } from '../../data/operator.ts';
import { runName } from '../../data/run-name.ts';
import { specInText } from '../../data/spec-text.ts';
import { useRunOrigins } from '../../data/use-run-origins.ts';
import { BulkDialog, type BulkJob } from '../../ui/bulk-dialog.tsx';
import type { BulkItem } from '../../ui/bulk-work.ts';
import { countText } from '../../ui/count-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Page } from '../../ui/page.tsx';
import { bulkItem } from '../../ui/run-jobs.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { Unread } from '../../ui/unread.tsx';
import { fixingStore } from './fix-bar.tsx';
import { fitSum } from './fix-model.ts';
import { type FixText, useFixSource } from './fix-source.tsx';
import { FitFacts, FitTable, type RunCheck } from './fix-verdict.tsx';
import type { RunFacts } from './run-facts.ts';
import { runChanged, useRun, useRunFacts } from './run-queries.ts';
import { RunText } from './run-text.tsx';
import { failurePlace } from './spec-place.ts';

const TYPING_MS = 500;

/** Failed runs of one cause, the spec to mend, what would become of their steps, and carrying on. */
export function FixPage(props: {
  readonly runs: readonly string[];
  /** Keeps the input of a run where its draft is edited. */
  readonly onOpen: (origin: RunOrigin, run: RunDetail) => void;
}) {
  const { runs } = props;
  const [first = ''] = runs;
  const hindrance = useHindrance('launch');
  const query = useRun(first);
  const facts = useRunFacts(first);
  const run = query.data;
  return (
    <Page
      title="Fix and carry on"
      testId="fix-page"
      sub={
        runs.length === 1
          ? 'The same run goes on from its last checkpoint, under the spec that you mend'
          : `${countText(runs.length, 'run')} that failed alike go on, each from its last checkpoint`
      }
    >
      {first === '' && (
        <EmptyState title="No run is named">Open a failed run and fix it from there.</EmptyState>
      )}
      {hindrance !== undefined && (
        <EmptyState title="Your role does not give runs another spec" testId="fix-shut">
          {hindrance}
        </EmptyState>
      )}
      {first !== '' && run === undefined && <Unread query={query} rows={6} />}
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
  const origin = useRunOrigins([run.session_id]).get(run.session_id ?? '');
  const { text, form } = useFixSource({
    facts,
    origin,
    path: failurePlace(facts.spec, run, facts),
    onOpen: (from) => {
      fixingStore.set(runs);
      props.onOpen(from, run);
    },
  });
  return (
    <>
      <section className="sw-run-section">
        <h2 className="sw-section-title">
          What went wrong in{' '}
          <AppLink to={paths.run(run.run_id)}>
            {runName(run, origin)} {shortRunId(run.run_id)}
          </AppLink>
        </h2>
        <RunText text={run.error ?? 'The run says nothing about it.'} tone="danger" />
        <details>
          <summary>Its input</summary>
          <RunText text={run.input_text ?? ''} testId="fix-input" />
        </details>
      </section>
      <div className="sw-fix" data-many={runs.length > 1}>
        <section className="sw-run-section">
          <h2 className="sw-section-title">The spec to go on with</h2>
          {form}
        </section>
        <Verdict runs={runs} text={text} name={runName(run, origin)} />
      </div>
    </>
  );
}

/** Asks for every run what would become of its steps. */
function useChecks(runs: readonly string[], spec: JsonObject | undefined): readonly RunCheck[] {
  const key = useMemo(() => JSON.stringify(spec), [spec]);
  return useQueries({
    queries: runs.map((run_id) => ({
      queryKey: ['check-recovery', run_id, key],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call(checkRecovery, { params: { run_id }, body: { spec: spec ?? {} } }, { signal }),
      enabled: spec !== undefined,
      staleTime: 0,
      retry: false,
    })),
    combine: (results) =>
      results.map(({ data, error, isFetching }, at) => ({
        runId: runs[at] ?? '',
        fit: data?.fit,
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
  const checks = useChecks(runs, spec);
  const [only] = checks;
  return (
    <section className="sw-run-section" data-testid="fix-verdict">
      <h2 className="sw-section-title">What becomes of the steps</h2>
      {problem !== undefined && (
        <Alert color="yellow" title="This is no spec yet">
          {problem}
        </Alert>
      )}
      {spec !== undefined && runs.length === 1 && only !== undefined && <OneCheck check={only} />}
      {spec !== undefined && runs.length > 1 && <FitTable checks={checks} />}
      {spec !== undefined && (
        <CarryOn
          checks={checks}
          spec={spec}
          name={name}
          // What was typed just now is not in the spec yet.
          behind={text !== props.text.text}
        />
      )}
    </section>
  );
}

function OneCheck(props: { readonly check: RunCheck }) {
  const { check } = props;
  if (check.error !== null) {
    return <ErrorState compact title="The run cannot go on under this spec" error={check.error} />;
  }
  return check.fit === undefined ? (
    <p className="sw-faint">Checking…</p>
  ) : (
    <>
      {check.masked && (
        <Alert color="yellow" mb="sm" title="Secrets of this run were masked when it failed">
          Where [REDACTED] stands in what it saved, the run goes on with that word.
        </Alert>
      )}
      <FitFacts fit={check.fit} />
    </>
  );
}

function jobOf(items: readonly BulkItem[], spec: JsonObject): BulkJob<BulkItem> {
  return {
    title: `Carry on with ${countText(items.length, 'run')}?`,
    about:
      'The same runs go on from the step that failed, under this spec; what had ended stays done. The audit and each run keep which spec took whose place. Steps with effects outside happen now.',
    confirm: 'Carry on',
    noun: 'run',
    past: 'taken up again',
    items,
    work: async ({ id }, idempotencyKey) =>
      (
        await call(recoverRun, { params: { run_id: id }, body: { spec } }, { idempotencyKey })
      ).status.replaceAll('_', ' '),
  };
}

function CarryOn(props: {
  readonly checks: readonly RunCheck[];
  readonly spec: JsonObject;
  readonly name: string;
  readonly behind: boolean;
}) {
  const { checks, spec, name, behind } = props;
  const [job, setJob] = useState<BulkJob<BulkItem> | null>(null);
  const { checked, fitting } = fitSum(checks.map(({ fit }) => fit));
  const busy = behind || checks.some((check) => check.busy);
  const items = checks
    .filter(({ fit }) => fit?.fits === true)
    .map(({ runId }) => bulkItem({ run_id: runId }, name));
  const [only] = items;
  return (
    <div className="sw-fix-actions">
      <Button
        leftSection={<IconPlayerTrackNext size={16} aria-hidden />}
        disabled={fitting === 0 || busy}
        onClick={() => setJob(jobOf(items, spec))}
        data-testid="carry-on"
      >
        Carry on{checks.length > 1 && ` with ${countText(fitting, 'run')}`}…
      </Button>
      {checks.length > 1 && (
        <span className="sw-faint">
          {fitting} of {checked} checked {checked === 1 ? 'run fits' : 'runs fit'}
          {checked < checks.length && `, ${checks.length - checked} not checked`}
        </span>
      )}
      {job !== null && (
        <BulkDialog
          job={job}
          onPass={runChanged}
          onClose={(rest) => {
            setJob(null);
            if (checks.length === 1 && only !== undefined && rest.length === 0) {
              fixingStore.set([]);
              navigateTo(paths.run(only.id));
            }
          }}
        />
      )}
    </div>
  );
}
