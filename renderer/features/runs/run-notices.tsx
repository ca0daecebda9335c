import { IconAlertTriangle, IconPlayerRecord, IconRepeat, IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { listAudit } from '../../../server/contract/dashboard/audit.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { actorName } from '../../ui/actor-name.ts';
import { Notice } from '../../ui/notice.tsx';
import { rich } from '../../ui/rich.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { editedWords } from './rerun-model.ts';
import type { RunFacts } from './run-facts.ts';

/** Who gave the run another spec: the operator, where the audit may be read and names one. */
function Mender(props: { readonly runId: string; readonly at: string; readonly actor: string }) {
  const { runId, at, actor } = props;
  const query = { run_id: runId, event_type: 'run.recovered', limit: MOST_MENDED };
  const audit = useQuery({
    ...routeQuery(listAudit, { query }),
    enabled: useHindrance('audit.read') === undefined,
    retry: false,
  });
  const wanted = Date.parse(at);
  const found = (audit.data?.rows ?? [])
    .filter(({ created_at }) => awayFrom(created_at, wanted) < SAME_MS)
    .toSorted((a, b) => awayFrom(a.created_at, wanted) - awayFrom(b.created_at, wanted))
    .at(0);
  return <>{actorName(found?.operator ?? actor)}</>;
}

const MOST_MENDED = 20;
/** A mending and its event are written together; an event further away is of another mending. */
const SAME_MS = 2_000;

function awayFrom(at: string, wanted: number): number {
  return Math.abs(Date.parse(at) - wanted);
}

/** Letters of a digest that tell specs apart. */
const DIGEST = 8;

/** What a person must know before trusting the output: stand-ins, recordings, an edited origin. */
export function RunNotices(props: {
  readonly facts: RunFacts;
  readonly runId: string;
  /** The offline runtime answered instead of a model. */
  readonly offline: boolean;
}) {
  const { modelWarning, recording, rerunOf, recovered } = props.facts;
  const latest = recovered.at(-1);
  return (
    <>
      {modelWarning !== null && (
        <Notice
          tone="warning"
          testId="model-warning"
          icon={<IconAlertTriangle size={16} aria-hidden />}
        >
          {modelWarning}
          {props.offline && (
            <>
              {' '}
              <span className="sw-unbroken">
                <AppLink to={paths.settings()}>{t('Set a key…')}</AppLink>
              </span>
            </>
          )}
        </Notice>
      )}
      {recording !== null && (
        <Notice tone="info" testId="recording" icon={<IconPlayerRecord size={16} aria-hidden />}>
          {recording.mode === 'replay'
            ? t('Models and tools answered from the recording ')
            : t('Models and tools are recorded as ')}
          <code>{recording.name}</code>
          {recording.mode === 'replay' && t(': no provider was asked.')}
        </Notice>
      )}
      {latest !== undefined && (
        <Notice tone="info" testId="recovered" icon={<IconTool size={16} aria-hidden />}>
          {rich(
            'The spec was mended {time} by {mender}, and the run went on{value}. Its earlier spec{value2} is superseded by the one shown here{value3}{value4}.',
            {
              time: <TimeAgo at={latest.at} />,
              mender: <Mender runId={props.runId} at={latest.at} actor={latest.actor} />,
              value: latest.repeats !== null && t(' at {repeats}', { repeats: latest.repeats }),
              value2: latest.from !== null && ` (${latest.from.slice(0, DIGEST)})`,
              value3: latest.to !== null && ` (${latest.to.slice(0, DIGEST)})`,
              value4: recovered.length > 1 && t(', the {count}. time', { count: recovered.length }),
            },
          )}
        </Notice>
      )}
      {rerunOf !== null && (
        <Notice tone="info" testId="rerun-of" icon={<IconRepeat size={16} aria-hidden />}>
          {rich(
            'Run again from {detail} of {link}{value}. What had ended before was not run again. <link2>Compare both</link2>',
            {
              detail:
                rerunOf.sequence === null
                  ? t('a checkpoint')
                  : t('checkpoint {sequence}', { sequence: rerunOf.sequence }),
              link: <AppLink to={paths.run(rerunOf.runId)}>{shortRunId(rerunOf.runId)}</AppLink>,
              value:
                rerunOf.edited.length > 0 &&
                t(', with {edited} edited', { edited: editedWords(rerunOf.edited) }),
              link2: (text) => (
                <AppLink to={paths.compare(rerunOf.runId, props.runId)}>{text}</AppLink>
              ),
            },
          )}
        </Notice>
      )}
    </>
  );
}
