import { t } from '../../../../preload/texts/t.ts';
import { CauseTitle } from '../cause-title.tsx';
import '../gaps.css';
import './outcome.css';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  type AnalysisView,
  getAnalysisCanvas,
} from '../../../../server/contract/studio/analyses.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { paths } from '../../../app/paths.ts';
import { fileName } from '../../../data/draft-names.ts';
import { routeQuery } from '../../../data/query-client.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { GapDrawings } from '../gap-drawings.tsx';
import { type GapCard, gapCards, gapGroups } from '../gap-model.ts';
import { useDraftReading } from '../gap-queries.ts';
import { type Cause, causesOf } from '../gap-rows.ts';
import { linkDraft, NO_LINKS } from '../links.ts';
import { ElementPanel } from './element-panel.tsx';
import type { OutcomePlace } from './outcome-place.ts';

const SHOWN = 60;
const NAMED = 3;

/** What an import made: its gaps, each with the ways to them, and source and draft beside each other. */
export function ImportOutcome(props: Omit<OutcomePlace, 'links'>) {
  const { projectId, analysis, draftRef } = props;
  const canvas = useQuery(
    routeQuery(getAnalysisCanvas, {
      params: { project_id: projectId, analysis_id: analysis.analysis_id },
    }),
  );
  const { reading } = useDraftReading(projectId, draftRef, canvas.data);
  const links = useMemo(
    () =>
      canvas.data === undefined || reading.data === undefined
        ? NO_LINKS
        : linkDraft(canvas.data, reading.data),
    [canvas.data, reading.data],
  );
  const cards = useMemo(() => cardsOf(analysis, draftRef), [analysis, draftRef]);
  const [chosen, setChosen] = useState<readonly string[]>(() => {
    const [worst] = gapGroups(cards)[0]?.cards ?? [];
    return worst === undefined ? [] : [worst.gap.source_ref.source_id];
  });
  const place = { ...props, links };
  const choose = (id: string | undefined): void => setChosen(id === undefined ? [] : [id]);
  return (
    <div className="sw-import-outcome">
      <section aria-label={t('Gaps')}>
        <h2 className="sw-section-title">{t('Gaps')}</h2>
        <OutcomeGaps place={place} cards={cards} chosen={chosen} onChoose={setChosen} />
      </section>
      <section aria-label={t('Source and draft')} className="sw-import-drawings">
        <div className="sw-import-drawing" data-testid="import-drawings">
          <GapDrawings
            cards={cards}
            canvas={canvas}
            reading={reading}
            links={links}
            activeIds={chosen}
            draftName={fileName(draftRef)}
            focus="whole"
            onSource={choose}
            onDraftNode={(node) => choose(links.sourceOf.get(node))}
          />
        </div>
        <ElementPanel
          place={place}
          cards={cards}
          node={canvas.data?.nodes.find(
            ({ source_id }) => chosen.length === 1 && source_id === chosen[0],
          )}
        />
      </section>
    </div>
  );
}

function cardsOf(analysis: AnalysisView, draftRef: string): readonly GapCard[] {
  const draft = analysis.related_refs.find(({ path }) => path === draftRef);
  return gapCards({
    analysis,
    draft,
    artifact: undefined,
    acknowledgements: [],
    resolutions: [],
  });
}

interface GapsProps {
  readonly place: OutcomePlace;
  readonly cards: readonly GapCard[];
  readonly chosen: readonly string[];
  readonly onChoose: (sourceIds: readonly string[]) => void;
}

function OutcomeGaps(props: GapsProps) {
  const { place, cards } = props;
  const { projectId, analysis, draftRef } = place;
  const count = (severity: string): number =>
    cards.filter(({ gap }) => gap.severity === severity).length;
  if (cards.length === 0) {
    return (
      <p>{t('Everything in the source has a place in the draft. Nothing is left to resolve.')}</p>
    );
  }
  const causes = gapGroups(cards).flatMap((group) => causesOf(group.cards));
  return (
    <>
      <div className="sw-severity-row" data-testid="gap-counts">
        <StatusBadge status={count('blocking') === 0 ? 'clear' : 'blocking'}>
          {t('{count} blocking', { count: count('blocking') })}
        </StatusBadge>
        <StatusBadge status="manual">
          {t('{count} to review', { count: count('manual') })}
        </StatusBadge>
        <StatusBadge status="info">
          {t('{count} for information', { count: count('info') })}
        </StatusBadge>
      </div>
      <ul className="sw-import-gaps">
        {causes.slice(0, SHOWN).map((cause) => (
          <OutcomeCause key={cause.key} {...props} cause={cause} />
        ))}
      </ul>
      {causes.length > SHOWN && (
        <p>
          <AppLink to={paths.gaps(projectId, analysis.analysis_id, { ref: draftRef })}>
            {t('All {count} gaps', { count: cards.length })}
          </AppLink>
        </p>
      )}
    </>
  );
}

function OutcomeCause(props: GapsProps & { readonly cause: Cause }) {
  const { place, cause } = props;
  const { projectId, analysis, draftRef } = place;
  const ids = [...new Set(cause.cards.map(({ gap }) => gap.source_ref.source_id))];
  const [first] = cause.cards;
  const chosen = ids.length === props.chosen.length && ids.every((id) => props.chosen.includes(id));
  return (
    <li data-chosen={chosen} data-testid="import-gap">
      <StatusBadge status={cause.severity} />
      <div>
        <AppLink
          to={paths.gaps(projectId, analysis.analysis_id, {
            ref: draftRef,
            gap: first?.gap.ref.gap_id ?? '',
          })}
          testId="import-gap-link"
        >
          <CauseTitle cause={cause} />
        </AppLink>
        {cause.subject !== '' && <span className="sw-faint"> {cause.subject}</span>}
        {cause.cards.length > 1 && <span className="sw-faint"> × {cause.cards.length}</span>}
        <div className="sw-import-gap-places">
          {cause.cards.slice(0, NAMED).map((card) => (
            <GapPlaces key={card.gap.ref.gap_id} {...props} card={card} />
          ))}
          {cause.cards.length > NAMED && (
            <button type="button" className="sw-link" onClick={() => props.onChoose(ids)}>
              {t('show all {count}', { count: cause.cards.length })}
            </button>
          )}
        </div>
      </div>
    </li>
  );
}

/** The element of a gap in the drawing, and its line of the draft. */
function GapPlaces(props: GapsProps & { readonly card: GapCard; readonly cause: Cause }) {
  const { place, card, cause } = props;
  const { source_ref, title, spec_ref } = card.gap;
  const lines = place.links.placeOf.get(source_ref.source_id);
  const path = lines?.path ?? spec_ref;
  return (
    <span>
      <button
        type="button"
        className="sw-link"
        onClick={() => props.onChoose([source_ref.source_id])}
        data-testid="import-gap-source"
      >
        {cause.by === 'element' ? title : source_ref.source_label}
      </button>
      {path !== null && (
        <>
          <span className="sw-faint">, </span>
          <AppLink
            to={paths.draft(place.projectId, place.draftRef, { path })}
            testId="import-gap-line"
          >
            {lines === undefined
              ? t('in the draft')
              : t('line {startLine}', { startLine: lines.startLine })}
          </AppLink>
        </>
      )}
    </span>
  );
}
