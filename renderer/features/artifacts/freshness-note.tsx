import { t } from '../../../preload/texts/t.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { toApiError } from '../../data/api-error.ts';
import { useAssertions } from '../../data/studio.ts';
import { AssertionLines } from '../../ui/assertion-lines.tsx';
import { OUTCOMES } from './freshness/freshness-model.ts';
import { useFreshness } from './freshness/freshness-queries.ts';

/** One advisory sentence on how fresh the source analysis is; it never refuses anything. */
export function FreshnessNote(props: { readonly projectId: string; readonly artifactId: string }) {
  const freshness = useFreshness(props.projectId, props.artifactId);
  if (freshness.isError) {
    return (
      <p className="sw-faint">
        {t('Freshness is not known: {message}', { message: toApiError(freshness.error).message })}
      </p>
    );
  }
  const [base] = freshness.data?.components ?? [];
  return freshness.isSuccess ? (
    <>
      <p className="sw-faint" data-testid="freshness" data-outcome={freshness.data.outcome}>
        {OUTCOMES[freshness.data.outcome].about}{' '}
        <AppLink
          to={paths.artifactFreshness(props.projectId, props.artifactId)}
          testId="open-freshness"
        >
          {t('Freshness')}
        </AppLink>
      </p>
      {base !== undefined && base.lineages.length === 0 && (
        <SaidOf projectId={props.projectId} componentRef={base.ref} revision={base.revision} />
      )}
    </>
  ) : null;
}

/** Who said that a component without an analysis needs none. */
export function SaidOf(props: {
  readonly projectId: string;
  readonly componentRef: string;
  readonly revision: string;
}) {
  const assertions = useAssertions(props.projectId, props.componentRef).data ?? [];
  return <AssertionLines assertions={assertions} revision={props.revision} />;
}
