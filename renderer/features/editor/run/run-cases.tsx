import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { getRun, type RunDetail } from '../../../../server/contract/dashboard/runs.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { paths } from '../../../app/paths.ts';
import type { KeptRead } from '../../../data/failure-pace.ts';
import { paceOfRun } from '../../../data/followed-runs.ts';
import { routeQuery } from '../../../data/query-client.ts';
import { notifyError } from '../../../ui/notify.tsx';
import { Badge, StatusBadge } from '../../../ui/status-badge.tsx';
import { useStore } from '../../../ui/store.ts';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { type CaseResult, checkCase, expectationText } from './case-check.ts';
import { CaseExpectation } from './case-expectation.tsx';
import {
  casesChanged,
  dropCase,
  expectOf,
  keepCase,
  type PastRun,
  type RunCase,
  readCases,
  runBefore,
} from './case-store.ts';
import { caseSummary } from './case-summary.ts';

const LIVE_MS = 1_500;
const SHOWN_RUNS = 12;

/** A case with its last run, as far as that is known. */
interface ShownCase {
  readonly one: RunCase;
  readonly last: PastRun | undefined;
  readonly run: RunDetail | undefined;
  /** Null where nothing is expected, or nothing ran. */
  readonly result: CaseResult | null;
}

function runQuery(runId: string) {
  return {
    ...routeQuery(getRun, { params: { run_id: runId } }),
    refetchInterval: (query: KeptRead & { state: { data: RunDetail | undefined } }) =>
      query.state.data?.is_terminal === true ? (false as const) : paceOfRun(runId, query, LIVE_MS),
  };
}

function useShownCases(cases: readonly RunCase[], runs: readonly PastRun[]): readonly ShownCase[] {
  const last = cases.map((one) => runs.find(({ caseId }) => caseId === one.id));
  const ids = [...new Set(last.flatMap((run) => run?.runId ?? []))];
  const answers = useQueries({ queries: ids.map(runQuery) });
  return cases.map((one, index) => {
    const past = last[index];
    const run = past === undefined ? undefined : answers[ids.indexOf(past.runId)]?.data;
    const result = one.expected === null || run === undefined ? null : checkCase(one.expected, run);
    return { one, last: past, run, result };
  });
}

/** Named inputs of a draft, each with its last run and what is expected of it, and what ran before. */
export function RunCases(props: {
  /** The draft as its cases are kept. */
  readonly draft: string;
  readonly input: string;
  readonly trigger: string;
  /** Starts a case with the text as it stands. */
  readonly onRun: (one: RunCase) => Promise<void>;
  /** Puts a case's input into the field. */
  readonly onTake: (one: RunCase) => void;
}) {
  const { draft } = props;
  useStore(casesChanged);
  const { cases, runs } = readCases(draft);
  const shown = useShownCases(cases, runs);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const start = async (wanted: readonly RunCase[]): Promise<void> => {
    setBusy(true);
    try {
      for (const one of wanted) await props.onRun(one);
    } catch (error) {
      notifyError(t('The case was not run'), error);
    } finally {
      setBusy(false);
    }
  };
  const summary = caseSummary(shown.map(({ one, result }) => ({ ...one, result })));
  return (
    <div className="sw-cases" data-testid="run-cases">
      <div className="sw-cases-head">
        <h3 className="sw-section-title">{t('Cases')}</h3>
        <CaseName
          onName={(name) => keepCase(draft, { name, input: props.input, trigger: props.trigger })}
        />
        {cases.length > 0 && (
          <Button
            size="compact-xs"
            variant="default"
            loading={busy}
            onClick={() => void start(cases)}
            data-testid="run-all-cases"
          >
            {t('Run all')}
          </Button>
        )}
        {summary !== null && (
          <span role="status" data-testid="cases-summary">
            <Badge tone={summary.tone}>{summary.text}</Badge>
          </span>
        )}
        {runs.length > 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            data-testid="run-history"
          >
            {t('Runs of this draft')}
          </Button>
        )}
      </div>
      {cases.length > 0 && (
        <ul aria-label={t('Cases')}>
          {shown.map((one) => (
            <CaseRow
              key={one.one.id}
              draft={draft}
              shown={one}
              runs={runs}
              busy={busy}
              onTake={props.onTake}
              onStart={(wanted) => void start([wanted])}
            />
          ))}
        </ul>
      )}
      {open && (
        <ul aria-label={t('Runs of this draft')}>
          {runs.slice(0, SHOWN_RUNS).map((run) => (
            <li key={run.runId}>
              <RunState runId={run.runId} />
              <AppLink to={paths.run(run.runId)}>
                {cases.find(({ id }) => id === run.caseId)?.name ?? t('Run')}
              </AppLink>
              <TimeAgo at={run.at} />
              <Compared runs={runs} run={run} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function CaseRow(props: {
  readonly draft: string;
  readonly shown: ShownCase;
  readonly runs: readonly PastRun[];
  readonly busy: boolean;
  readonly onTake: (one: RunCase) => void;
  readonly onStart: (one: RunCase) => void;
}) {
  const { draft, runs } = props;
  const { one, last, run, result } = props.shown;
  const [asking, setAsking] = useState(false);
  return (
    <li>
      <button type="button" className="sw-bare" onClick={() => props.onTake(one)}>
        {one.name}
      </button>
      <span className="sw-faint sw-case-input">{one.input}</span>
      {result !== null && <ResultBadge result={result} />}
      {last === undefined ? (
        <span className="sw-faint">{t('not run yet')}</span>
      ) : (
        <>
          <AppLink to={paths.run(last.runId)}>
            {run === undefined ? '…' : <StatusBadge status={run.status} />}
          </AppLink>
          <Compared runs={runs} run={last} />
        </>
      )}
      <span className="sw-case-actions">
        <Button
          size="compact-xs"
          variant="subtle"
          title={one.expected === null ? undefined : expectationText(one.expected)}
          aria-label={t('Expected of {name}', { name: one.name })}
          onClick={() => setAsking(true)}
        >
          {one.expected === null ? t('Expect…') : t('Expected')}
        </Button>
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          disabled={props.busy}
          aria-label={t('Run {name}', { name: one.name })}
          onClick={() => props.onStart(one)}
        >
          <IconPlayerPlay size={14} />
        </ActionIcon>
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          aria-label={t('Forget {name}', { name: one.name })}
          onClick={() => dropCase(draft, one.id)}
        >
          <IconTrash size={14} />
        </ActionIcon>
      </span>
      {result?.result === 'failed' && (
        <span className="sw-case-reasons">{result.reasons.join(' ')}</span>
      )}
      {asking && (
        <CaseExpectation
          name={one.name}
          expected={one.expected}
          last={run?.is_terminal === true ? run : undefined}
          onKeep={(expected) => {
            expectOf(draft, one.id, expected);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}

function ResultBadge(props: { readonly result: CaseResult }) {
  const { result } = props.result;
  if (result === 'waiting') return <span className="sw-faint">{t('waiting')}</span>;
  return result === 'passed' ? (
    <Badge tone="success" icon={<IconCircleCheck size={13} aria-hidden />}>
      {t('passed')}
    </Badge>
  ) : (
    <Badge tone="danger" icon={<IconCircleX size={13} aria-hidden />}>
      {t('not as expected')}
    </Badge>
  );
}

function CaseName(props: { readonly onName: (name: string) => void }) {
  const [name, setName] = useState('');
  const keep = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    props.onName(name.trim());
    setName('');
  };
  return (
    <form className="sw-case-name" onSubmit={keep}>
      <TextInput
        size="xs"
        aria-label={t('Name of the case')}
        placeholder={t('Keep this input as…')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-testid="case-name"
      />
      <Button size="compact-xs" variant="default" type="submit" disabled={name.trim() === ''}>
        {t('Keep')}
      </Button>
    </form>
  );
}

function RunState(props: { readonly runId: string }) {
  const { data } = useQuery(runQuery(props.runId));
  return data === undefined ? (
    <span className="sw-faint">…</span>
  ) : (
    <StatusBadge status={data.status} />
  );
}

function Compared(props: { readonly runs: readonly PastRun[]; readonly run: PastRun }) {
  const before = runBefore(props.runs, props.run);
  return before === undefined ? null : (
    <AppLink to={paths.compare(before.runId, props.run.runId)}>
      {t('Compare with the run before')}
    </AppLink>
  );
}
