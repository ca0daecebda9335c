import { t } from '../../../../preload/texts/t.ts';
import type {
  Estate,
  EstateCall,
  EstateCause,
  EstateCredential,
} from '../../../../server/contract/studio/estate.ts';
import { rich } from '../../../ui/rich.ts';
import './estate.css';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useMemo, useState } from 'react';
import { navigateTo } from '../../../app/navigation.ts';
import { GraphCanvas } from '../../../graph/graph-canvas.tsx';
import { type DataColumn, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import {
  callGraph,
  credentialGraph,
  type Drawn,
  missingId,
  type NameOf,
  sharedCredentials,
} from './estate-graph.ts';

interface EstateProps {
  readonly estate: Estate;
  readonly nameOf: NameOf;
  /** Opens a file of the import. */
  readonly onOpen: (path: string) => void;
}

const WORDS = { conditional: t('runs when it fails'), disabled: t('not among the files') };

/** A table with the drawing of the same beside it. */
function Parts(props: { readonly table: ReactNode; readonly drawing: ReactNode }) {
  return (
    <div className="sw-estate">
      <div className="sw-estate-table">{props.table}</div>
      <div className="sw-estate-map">{props.drawing}</div>
    </div>
  );
}

function Drawing(props: {
  readonly drawn: Drawn;
  readonly label: string;
  readonly activeId: string | null;
  readonly onNode: (id: string) => void;
}) {
  const { drawn, ...rest } = props;
  const { graph, shown, all } = drawn;
  const canvas = <GraphCanvas {...rest} graph={graph} follow compact words={WORDS} />;
  if (shown === all) return canvas;
  return (
    <div className="sw-estate-part">
      <p className="sw-estate-lead" data-testid="estate-part">
        {t('{shown} of {all} are drawn. Choose a line to draw what is around it.', { shown, all })}
      </p>
      {canvas}
    </div>
  );
}

const KINDS = { step: t('a step'), tool: t('a tool'), error: t('on a failure') } as const;
const CALL_STATES = {
  found: 'found',
  several: t('several fit'),
  missing: t('not among the files'),
  computed: t('known to a run only'),
  itself: 'itself',
} as const;
const CALL_BADGES = {
  found: 'completed',
  itself: 'completed',
  several: 'warning',
  missing: 'blocked',
  computed: 'info',
} as const;

function calledName({ to, wanted, state, label }: EstateCall, nameOf: NameOf): string {
  if (state === 'computed') return wanted === '' ? t('what “{label}” asks for', { label }) : wanted;
  return state === 'missing' ? wanted : to.map(nameOf).join(', ');
}

const callId = (call: EstateCall): string =>
  [call.from, call.kind, call.label, call.wanted].join(' ');

/** Who runs whom. */
export function EstateCalls({ estate, nameOf, onOpen }: EstateProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const whole = useMemo(() => callGraph(estate.calls, nameOf), [estate, nameOf]);
  const around = whole.shown < whole.all ? chosen : null;
  const drawn = useMemo(
    () => (around === null ? whole : callGraph(estate.calls, nameOf, around)),
    [estate, nameOf, whole, around],
  );
  const columns = useMemo(
    (): readonly DataColumn<EstateCall>[] => [
      { id: 'from', header: t('Workflow'), cell: ({ from }) => nameOf(from) },
      { id: 'kind', header: t('As'), width: '108px', cell: ({ kind }) => KINDS[kind] },
      { id: 'to', header: t('Runs'), cell: (call) => calledName(call, nameOf) },
      {
        id: 'state',
        header: t('It is'),
        width: '192px',
        cell: ({ state }) => (
          <StatusBadge status={CALL_BADGES[state]}>{CALL_STATES[state]}</StatusBadge>
        ),
      },
    ],
    [nameOf],
  );
  if (estate.calls.length === 0) {
    return (
      <EmptyState title={t('No workflow runs another')}>
        {t('None of these files has a step or a tool that runs a workflow, or one for failures.')}
      </EmptyState>
    );
  }
  const choose = (id: string): void => (chosen === id ? onOpen(id) : setChosen(id));
  return (
    <Parts
      table={
        <DataTable
          label={t('Who runs whom')}
          columns={columns}
          rows={estate.calls}
          rowId={callId}
          selectedId={null}
          onOpen={({ from, state, wanted, to }) =>
            setChosen(state === 'missing' ? missingId(wanted) : (to[0] ?? from))
          }
        />
      }
      drawing={
        <Drawing drawn={drawn} label={t('Who runs whom')} activeId={chosen} onNode={choose} />
      }
    />
  );
}

/** What several workflows sign in with. */
export function EstateCredentials({ estate, nameOf, onOpen }: EstateProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const shared = useMemo(() => sharedCredentials(estate), [estate]);
  const drawn = useMemo(() => {
    const one = estate.credentials.filter(({ key }) => key === chosen);
    return credentialGraph(one.length > 0 ? one : shared, nameOf);
  }, [estate, shared, chosen, nameOf]);
  const columns = useMemo(
    (): readonly DataColumn<EstateCredential>[] => [
      { id: 'name', header: t('Credential'), cell: ({ name }) => <strong>{name}</strong> },
      { id: 'type', header: t('Type'), cell: ({ type }) => type },
      {
        id: 'files',
        header: t('Files'),
        width: '64px',
        align: 'right',
        cell: ({ files }) => files.length,
      },
    ],
    [],
  );
  if (estate.credentials.length === 0) {
    return (
      <EmptyState title={t('No credential is named')}>
        {t('None of these files says by a name what it signs in with.')}
      </EmptyState>
    );
  }
  return (
    <Parts
      table={
        <DataTable
          label={t('Credentials')}
          columns={columns}
          rows={estate.credentials}
          rowId={({ key }) => key}
          selectedId={chosen}
          onOpen={({ key }) => setChosen((now) => (now === key ? null : key))}
        />
      }
      drawing={
        drawn.graph === null ? (
          <EmptyState compact title={t('Each file has its own')}>
            {t('Choose a credential to see which files sign in with it.')}
          </EmptyState>
        ) : (
          <Drawing
            drawn={drawn}
            label={t('Who signs in with what')}
            activeId={chosen}
            onNode={(id) =>
              drawn.graph?.nodes.some((n) => n.id === id && n.kind === 'workflow')
                ? onOpen(id)
                : setChosen(id)
            }
          />
        )
      }
    />
  );
}

/** What blocks, finest first: which one answer frees most files. */
export function EstateCauses(props: {
  readonly estate: Estate;
  /** Where a cause is answered in all drafts. Stable between renders. */
  readonly repairPath: (causeId: string) => string;
}) {
  const { estate, repairPath } = props;
  const narrow = useMediaQuery('(max-width: 1180px)') ?? false;
  const columns = useMemo((): readonly DataColumn<EstateCause>[] => {
    const all: readonly DataColumn<EstateCause>[] = [
      {
        id: 'severity',
        header: t('Severity'),
        width: '112px',
        cell: ({ severity }) => <StatusBadge status={severity} />,
      },
      {
        id: 'cause',
        header: t('What it is'),
        cell: ({ title, subject }) => (
          <span title={`${title} ${subject}`}>
            <strong>{subject === '' ? title : subject}</strong>{' '}
            {subject !== '' && <span className="sw-faint">{title}</span>}
          </span>
        ),
      },
      {
        id: 'frees',
        header: t('Frees'),
        width: '76px',
        align: 'right',
        cell: ({ frees }) => (frees.length === 0 ? '–' : frees.length),
      },
      {
        id: 'files',
        header: t('Files'),
        width: '64px',
        align: 'right',
        cell: ({ files }) => files.length,
      },
      { id: 'gaps', header: t('Gaps'), width: '64px', align: 'right', cell: ({ gaps }) => gaps },
      {
        id: 'repair',
        header: t('Answer'),
        width: '112px',
        cell: ({ id }) => (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => navigateTo(repairPath(id))}
            data-testid={`repair-${id}`}
          >
            {t('Repair…')}
          </Button>
        ),
      },
    ];
    return all.filter(({ id }) => !narrow || id !== 'gaps');
  }, [repairPath, narrow]);
  return estate.causes.length === 0 ? (
    <EmptyState title={t('Nothing is left to answer')}>
      {t('None of these drafts has an open gap.')}
    </EmptyState>
  ) : (
    <>
      <p className="sw-estate-lead">
        {rich(
          'One answer for all drafts that share a cause. <b>Frees</b> counts the files that nothing else blocks.',
          { b: (text) => <strong>{text}</strong> },
        )}
      </p>
      <DataTable
        label={t('Shared causes')}
        columns={columns}
        rows={estate.causes}
        rowId={({ id }) => id}
        onOpen={({ id }) => navigateTo(repairPath(id))}
      />
    </>
  );
}
