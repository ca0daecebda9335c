import { useQuery } from '@tanstack/react-query';
import { t } from '../../../../preload/texts/t.ts';
import type { CanvasView } from '../../../../server/contract/studio/analyses.ts';
import { getAnalysisLedger } from '../../../../server/contract/studio/ledger.ts';
import { plainTitle } from '../../../../server/gaps/estate/shared-causes.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { paths } from '../../../app/paths.ts';
import { routeQuery } from '../../../data/query-client.ts';
import { rich } from '../../../ui/rich.ts';
import { ServiceText } from '../../../ui/service-text.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import type { GapCard } from '../gap-model.ts';
import { FATE_TEXTS, FATES } from '../ledger/ledger-model.ts';
import { typeText } from '../source/canvas-model.ts';
import type { OutcomePlace } from './outcome-place.ts';

interface PanelProps {
  readonly place: OutcomePlace;
  readonly cards: readonly GapCard[];
  /** The element that is chosen in one of the drawings. */
  readonly node: CanvasView['nodes'][number] | undefined;
}

/** What became of the element that is chosen. */
export function ElementPanel(props: PanelProps) {
  const { place, node, cards } = props;
  if (node === undefined) {
    return (
      <p className="sw-faint sw-import-element">
        {t('Choose an element in either drawing to see what became of it.')}
      </p>
    );
  }
  const own = cards.filter(({ gap }) => gap.source_ref.source_id === node.source_id);
  const lines = place.links.placeOf.get(node.source_id);
  const host = place.links.hostOf.has(node.source_id);
  return (
    <div className="sw-import-element" aria-live="polite" data-testid="element-panel">
      <h3>
        {node.label} <span className="sw-faint">{typeText(node.type)}</span>
      </h3>
      <dl className="sw-facts">
        <dt>{t('In the draft')}</dt>
        <dd>
          {lines === undefined ? (
            <span className="sw-faint">{t('It has no lines of its own.')}</span>
          ) : (
            <>
              <AppLink
                to={paths.draft(place.projectId, place.draftRef, { path: lines.path })}
                testId="element-line"
              >
                {rich('{code}, line {startLine}', {
                  code: <code>{lines.path}</code>,
                  startLine: lines.startLine,
                })}
              </AppLink>
              {host && <span className="sw-faint"> {t('part of what it is attached to')}</span>}
            </>
          )}
        </dd>
        <dt>{t('Gaps')}</dt>
        <dd>
          {own.length === 0 && <span className="sw-faint">{t('None')}</span>}
          {own.map(({ gap }) => (
            <div key={gap.ref.gap_id}>
              <StatusBadge status={gap.severity} />{' '}
              <AppLink
                to={paths.gaps(place.projectId, gap.ref.analysis_id, {
                  ref: place.draftRef,
                  gap: gap.ref.gap_id,
                })}
              >
                <ServiceText>{plainTitle(gap)}</ServiceText>
              </AppLink>
            </div>
          ))}
        </dd>
        <Account place={place} sourceId={node.source_id} />
      </dl>
    </div>
  );
}

/** How many parts of the element went where, by the ledger. */
function Account(props: { readonly place: OutcomePlace; readonly sourceId: string }) {
  const { projectId, analysis, draftRef } = props.place;
  const ledger = useQuery({
    ...routeQuery(getAnalysisLedger, {
      params: { project_id: projectId, analysis_id: analysis.analysis_id },
      query: { element: props.sourceId, limit: 1_000 },
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (ledger.data?.state !== 'kept') {
    return null;
  }
  const { entries, total } = ledger.data;
  const said = FATES.flatMap((fate) => {
    const count = entries.filter((entry) => entry.fate === fate).length;
    return count === 0 ? [] : [`${count} ${FATE_TEXTS[fate].label.toLowerCase()}`];
  });
  return (
    <>
      <dt>{t('Its parts')}</dt>
      <dd>
        <AppLink
          to={paths.ledger(projectId, analysis.analysis_id, {
            ref: draftRef,
            element: props.sourceId,
          })}
          testId="element-ledger"
        >
          {t('{count, plural, one {# part} other {# parts}}', { count: total })}
        </AppLink>
        {said.length > 0 && <span className="sw-faint">: {said.join(', ')}</span>}
      </dd>
    </>
  );
}
