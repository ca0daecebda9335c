import { Button } from '@mantine/core';
import type {
  FreshnessOffer,
  LineageFreshnessView,
} from '../../../../server/contract/studio/freshness.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { useRoleHindrance } from '../../../data/studio.ts';
import { reimportStore } from '../../../workbench/reimport-request.ts';
import { importerOf, OFFERS } from './freshness-model.ts';

export interface OfferPlace {
  readonly projectId: string;
  /** The draft whose lineage offers it. */
  readonly componentRef: string;
  readonly lineage: LineageFreshnessView;
  /** A new artifact is being made. */
  readonly renewing: boolean;
  readonly onRenew: () => void;
}

/** One offer of a lineage as a button that carries it out, with what it does. */
export function OfferButton(props: OfferPlace & { readonly offer: FreshnessOffer }) {
  const { projectId, componentRef, lineage, offer } = props;
  const hindrance = useRoleHindrance(projectId, 'editor');
  const { label, about } = OFFERS[offer.kind];
  const changes = offer.kind === 're_import' || offer.kind === 'new_artifact';
  const refused = changes ? hindrance : undefined;
  const run = (): void => {
    if (offer.kind === 're_import') {
      const ref = offer.ref ?? componentRef;
      const sourceSha256 = lineage.source_sha256;
      reimportStore.set({ projectId, ref, sourceSha256, ...importerOf(lineage.importer) });
    } else if (offer.kind === 'new_artifact') {
      props.onRenew();
    } else if (offer.analysis_id !== null) {
      navigateTo(paths.gaps(projectId, offer.analysis_id, { ref: componentRef }));
    }
  };
  return (
    <div className="sw-offer">
      <Button
        size="xs"
        variant={offer.kind === 'new_artifact' ? 'filled' : 'default'}
        loading={offer.kind === 'new_artifact' && props.renewing}
        disabled={refused !== undefined}
        onClick={run}
        data-testid={`offer-${offer.kind}`}
      >
        {label}
      </Button>
      <span className="sw-faint">{refused ?? about}</span>
    </div>
  );
}
