import { t } from '../../../../preload/texts/t.ts';
import type { CarriedAnalysisView } from '../../../../server/contract/studio/freshness.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { paths } from '../../../app/paths.ts';
import { CopyCode } from '../../../ui/copy-code.tsx';
import { rich } from '../../../ui/rich.ts';
import { Badge } from '../../../ui/status-badge.tsx';
import { electionText, importerOf, OUTCOMES } from './freshness-model.ts';
import { OfferButton, type OfferPlace } from './offer-button.tsx';

/** One source and what it made: who speaks for it, what the artifact carries, what is offered. */
export function LineageCard(props: OfferPlace) {
  const { lineage, projectId, componentRef } = props;
  const { source, conversion } = importerOf(lineage.importer);
  const words = OUTCOMES[lineage.outcome];
  const elected = lineage.elected_analysis_id;
  return (
    <section className="sw-lineage" data-testid="lineage" data-outcome={lineage.outcome}>
      <h3>
        {source}, {conversion} <Badge tone={words.tone}>{words.label}</Badge>
        {lineage.invalid && lineage.outcome !== 'invalid' && (
          <Badge tone="danger">{t('damage among its analyses')}</Badge>
        )}
      </h3>
      <p>{words.about}</p>
      <dl className="sw-facts">
        <dt>{t('Source')}</dt>
        <dd>
          {rich('{code} made {code2}', {
            code: (
              <CopyCode value={lineage.source_sha256} shown={lineage.source_sha256.slice(0, 8)} />
            ),
            code2: (
              <CopyCode value={lineage.output_sha256} shown={lineage.output_sha256.slice(0, 8)} />
            ),
          })}
        </dd>
        <dt>{t('Elected')}</dt>
        <dd data-testid="elected">
          {elected !== null && (
            <>
              <AppLink to={paths.gaps(projectId, elected, { ref: componentRef })}>
                {elected.slice(0, 8)}
              </AppLink>
              {'. '}
            </>
          )}
          {electionText(lineage)}
        </dd>
        <dt>{t('Carried')}</dt>
        <dd>
          <ul className="sw-carried" data-testid="carried">
            {lineage.carried.map((one) => (
              <Carried key={one.analysis_id} {...props} carried={one} />
            ))}
          </ul>
        </dd>
      </dl>
      {lineage.offers.length > 0 && (
        <div className="sw-offers" data-testid="offers">
          {lineage.offers.map((offer) => (
            <OfferButton key={`${offer.kind} ${offer.analysis_id}`} {...props} offer={offer} />
          ))}
        </div>
      )}
    </section>
  );
}

function Carried(props: OfferPlace & { readonly carried: CarriedAnalysisView }) {
  const { projectId, componentRef, carried, lineage } = props;
  const { analysis_id, superseded_by, state } = carried;
  return (
    <li>
      <AppLink to={paths.gaps(projectId, analysis_id, { ref: componentRef })}>
        {analysis_id.slice(0, 8)}
      </AppLink>{' '}
      <span className="sw-faint">
        {rich('importer {importer_version}, analyzer {analyzer_version} ({age}){value}', {
          importer_version: carried.importer_version,
          analyzer_version: carried.analyzer_version,
          age: carried.age,
          value:
            superseded_by !== null &&
            t(', replaced by {superseded_by}', { superseded_by: superseded_by.slice(0, 8) }),
        })}
      </span>{' '}
      {state === 'quarantined' && (
        <Badge tone="danger">{t('quarantined: its record is damaged')}</Badge>
      )}
      {analysis_id === lineage.elected_analysis_id && <Badge tone="success">{t('elected')}</Badge>}
    </li>
  );
}
