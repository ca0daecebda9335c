import { Alert, Button, Checkbox, Group, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { rerunRun, rerunState } from '../../../server/contract/dashboard/run-record.ts';
import { getRunGraph, type RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { paths } from '../../app/paths.ts';
import { call } from '../../data/api-client.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { runName } from '../../data/run-name.ts';
import { useAction } from '../../data/use-action.ts';
import { checkpointWords } from '../../ui/checkpoint-words.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { leadOn } from '../../ui/lead-on.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { trackWork } from '../../workbench/work-store.ts';
import { RerunFields } from './rerun-fields.tsx';
import { draftOf, editedWords, editsOf, type RerunDraft, sendsMask } from './rerun-model.ts';
import type { SavedState } from './run-timeline.ts';

function stateLabel({ sequence, type, node }: SavedState): string {
  return [`${sequence}`, checkpointWords(type), node].filter((part) => part !== '').join(' · ');
}

/** Starts a new run from a saved state of this one, edited if asked. */
export function RerunDialog(props: {
  readonly run: RunDetail;
  readonly states: readonly SavedState[];
  /** The checkpoint to begin with. */
  readonly sequence: number;
  readonly onClose: () => void;
  /** Shows the new run; its own page when absent. */
  readonly onStarted?: (runId: string) => void;
}) {
  const [sequence, setSequence] = useState(props.sequence);
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('Run {run} again', { run: runName(props.run) })}
      size="xl"
      data-testid="rerun-dialog"
    >
      <NativeSelect
        label={t('From checkpoint')}
        description={t(
          'What had ended there is kept; what follows runs again, as a new run. This run stays as it is.',
        )}
        data={props.states.map((state) => ({
          value: String(state.sequence),
          label: stateLabel(state),
        }))}
        value={String(sequence)}
        onChange={(event) => setSequence(Number(event.currentTarget.value))}
        data-testid="rerun-from"
      />
      <RerunForm
        key={sequence}
        run={props.run}
        sequence={sequence}
        onStarted={(runId, lead) => {
          props.onClose();
          if (runId !== null && props.onStarted !== undefined) {
            notifyDone(t('Run started'));
            props.onStarted(runId);
          } else {
            lead(t('Run started'), runId === null ? paths.runs() : paths.run(runId));
          }
        }}
      />
    </Modal>
  );
}

function RerunForm(props: {
  readonly run: RunDetail;
  readonly sequence: number;
  readonly onStarted: Started;
}) {
  const params = { run_id: props.run.run_id };
  const state = useQuery({
    ...routeQuery(rerunState, { params, query: { checkpoint_sequence: props.sequence } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const graph = useQuery(routeQuery(getRunGraph, { params }));
  const [edited, setEdited] = useState<RerunDraft | null>(null);
  const [record, setRecord] = useState<string | null>(null);
  const send = useRerun(props.run.run_id, props.onStarted);
  const hindrance = useHindrance('run.control');
  if (state.isPending) {
    return <ListSkeleton rows={5} />;
  }
  if (state.isError) {
    return (
      <ErrorState
        compact
        title={t('Nothing can be run again from here')}
        error={state.error}
        onRetry={() => void state.refetch()}
      />
    );
  }
  const shown = state.data.edits;
  const draft = edited ?? draftOf(shown);
  const edits = editsOf(draft, shown);
  const names = Object.keys(edits);
  const steps = graph.data?.nodes.map(({ id }) => id) ?? [];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send.start({ checkpoint_sequence: props.sequence, edits, record });
      }}
    >
      <RerunFields
        draft={draft}
        steps={shown.messages === undefined ? [] : steps}
        onChange={setEdited}
      />
      <Recording value={record} onChange={setRecord} />
      {state.data.masked === true && (
        <Alert color="yellow" mt="sm" title={t('Secrets of this run were masked when it ended')}>
          {t('Where [REDACTED] stands, the new run goes on with that word. Type what it needs.')}
        </Alert>
      )}
      {state.data.masked !== true && sendsMask(edits) && (
        <Alert color="yellow" mt="sm" title={t('A masked part is in an edited text')}>
          {t('It is sent as it is shown here. Texts that you leave alone go on unmasked.')}
        </Alert>
      )}
      {send.error !== undefined && (
        <ErrorState compact title={t('The run was not started')} error={send.error} />
      )}
      <Group justify="space-between" mt="md">
        <span className="sw-faint" role="status" data-testid="rerun-edited">
          {names.length === 0
            ? t('Nothing edited')
            : t('Edited: {edited}', { edited: editedWords(names) })}
        </span>
        <Group gap="xs">
          {edited !== null && (
            <Button variant="subtle" onClick={() => setEdited(null)}>
              {t('Undo edits')}
            </Button>
          )}
          <Button
            type="submit"
            loading={send.busy}
            disabled={hindrance !== undefined}
            title={hindrance}
            data-testid="rerun-submit"
          >
            {names.length === 0 ? t('Run again') : t('Run with edits')}
          </Button>
        </Group>
      </Group>
    </form>
  );
}

function Recording(props: {
  readonly value: string | null;
  readonly onChange: (name: string | null) => void;
}) {
  const { value } = props;
  return (
    <Group mt="md" gap="sm" align="center">
      <Checkbox
        size="xs"
        label={t('Record models and tools')}
        checked={value !== null}
        onChange={(event) => props.onChange(event.currentTarget.checked ? '' : null)}
      />
      {value !== null && (
        <TextInput
          size="xs"
          aria-label={t('Name of the recording')}
          placeholder={t('named by the run')}
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,99}"
          title={t('Letters, digits, dot, dash and underscore')}
          value={value}
          onChange={(event) => props.onChange(event.currentTarget.value)}
        />
      )}
    </Group>
  );
}

interface Asked {
  readonly checkpoint_sequence: number;
  readonly edits: ReturnType<typeof editsOf>;
  /** The name of the recording that is to be made, empty for the run's own; null for none. */
  readonly record: string | null;
}

/** Called with the run that was started, and what leads to it. */
type Started = (runId: string | null, lead: ReturnType<typeof leadOn>) => void;

/** Sends a rerun once; the same request after a failure keeps its key. */
function useRerun(runId: string, onStarted: Started) {
  const attempt = useRef({ body: '', key: '' });
  return useAction(async ({ record, ...asked }: Asked) => {
    const recording = { mode: 'record', ...(record === '' ? {} : { name: record }) };
    const body = {
      ...asked,
      async_mode: true,
      metadata: record === null ? {} : { recording },
    };
    const text = JSON.stringify(body);
    if (attempt.current.body !== text) {
      attempt.current = { body: text, key: crypto.randomUUID() };
    }
    const lead = leadOn();
    const sent = call(
      rerunRun,
      { params: { run_id: runId }, body },
      { idempotencyKey: attempt.current.key },
    );
    const run = await trackWork(t('Starting run'), sent);
    onStarted(run.run_id || null, lead);
  });
}
