import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { getRun } from '../../../../server/contract/dashboard/runs.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { paths } from '../../../app/paths.ts';
import { routeQuery } from '../../../data/query-client.ts';
import { notifyError } from '../../../ui/notify.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { useStore } from '../../../ui/store.ts';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import {
  casesChanged,
  dropCase,
  keepCase,
  type PastRun,
  type RunCase,
  readCases,
  runBefore,
} from './case-store.ts';

const LIVE_MS = 1_500;
const SHOWN_RUNS = 12;

/** Named inputs of a draft, each with its last run, and what ran before. */
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
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const start = async (wanted: readonly RunCase[]): Promise<void> => {
    setBusy(true);
    try {
      for (const one of wanted) await props.onRun(one);
    } catch (error) {
      notifyError('The case was not run', error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="sw-cases" data-testid="run-cases">
      <div className="sw-cases-head">
        <h3 className="sw-section-title">Cases</h3>
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
            Run all
          </Button>
        )}
        {runs.length > 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            data-testid="run-history"
          >
            Runs of this draft
          </Button>
        )}
      </div>
      {cases.length > 0 && (
        <ul aria-label="Cases">
          {cases.map((one) => (
            <li key={one.id}>
              <button type="button" className="sw-bare" onClick={() => props.onTake(one)}>
                {one.name}
              </button>
              <span className="sw-faint sw-case-input">{one.input}</span>
              <LastRun runs={runs} caseId={one.id} />
              <ActionIcon
                size={24}
                variant="subtle"
                color="gray"
                disabled={busy}
                aria-label={`Run ${one.name}`}
                onClick={() => void start([one])}
              >
                <IconPlayerPlay size={14} />
              </ActionIcon>
              <ActionIcon
                size={24}
                variant="subtle"
                color="gray"
                aria-label={`Forget ${one.name}`}
                onClick={() => dropCase(draft, one.id)}
              >
                <IconTrash size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {open && (
        <ul aria-label="Runs of this draft">
          {runs.slice(0, SHOWN_RUNS).map((run) => (
            <li key={run.runId}>
              <RunState runId={run.runId} />
              <AppLink to={paths.run(run.runId)}>
                {cases.find(({ id }) => id === run.caseId)?.name ?? 'Run'}
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
        aria-label="Name of the case"
        placeholder="Keep this input as…"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-testid="case-name"
      />
      <Button size="compact-xs" variant="default" type="submit" disabled={name.trim() === ''}>
        Keep
      </Button>
    </form>
  );
}

function RunState(props: { readonly runId: string }) {
  const { data } = useQuery({
    ...routeQuery(getRun, { params: { run_id: props.runId } }),
    refetchInterval: ({ state }) => (state.data?.is_terminal === true ? false : LIVE_MS),
  });
  return data === undefined ? (
    <span className="sw-faint">…</span>
  ) : (
    <StatusBadge status={data.status} />
  );
}

function LastRun(props: { readonly runs: readonly PastRun[]; readonly caseId: string }) {
  const last = props.runs.find(({ caseId }) => caseId === props.caseId);
  if (last === undefined) return <span className="sw-faint">not run yet</span>;
  return (
    <>
      <AppLink to={paths.run(last.runId)}>
        <RunState runId={last.runId} />
      </AppLink>
      <Compared runs={props.runs} run={last} />
    </>
  );
}

function Compared(props: { readonly runs: readonly PastRun[]; readonly run: PastRun }) {
  const before = runBefore(props.runs, props.run);
  return before === undefined ? null : (
    <AppLink to={paths.compare(before.runId, props.run.runId)}>Compare with the run before</AppLink>
  );
}
