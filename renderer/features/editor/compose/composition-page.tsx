import { t } from '../../../../preload/texts/t.ts';
import './compose.css';
import { Button } from '@mantine/core';
import { IconArrowsDiff, IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { CompositionView } from '../../../../server/contract/studio/govern.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { compositionQuery } from '../../../data/artifact-actions.ts';
import { fileName } from '../../../data/draft-names.ts';
import { useMayEdit } from '../../../data/studio.ts';
import { Page } from '../../../ui/page.tsx';
import { Unread } from '../../../ui/unread.tsx';
import { sideText } from './compare-side.ts';
import { type Composing, frozenLayers, overridesText } from './compose-model.ts';
import { ComposedView } from './composed-view.tsx';
import { layerTone } from './origin-text.tsx';
import { useReadComposition } from './use-composed.ts';

interface CompositionPageProps {
  readonly projectId: string;
  readonly artifactId: string;
}

/** What an artifact was frozen of: its layers, its overrides, and the origin of each line. */
export function CompositionPage(props: CompositionPageProps) {
  const { projectId, artifactId } = props;
  const query = useQuery(compositionQuery(projectId, artifactId));
  if (query.data === undefined) {
    return (
      <Page title={t('Composition')} testId="composition-page">
        <Unread query={query} />
      </Page>
    );
  }
  return <OpenFrozen key={artifactId} {...props} view={query.data} />;
}

function OpenFrozen(props: CompositionPageProps & { readonly view: CompositionView }) {
  const { projectId, artifactId, view } = props;
  const mayEdit = useMayEdit(projectId);
  const composing: Composing = {
    base: view.base.path,
    overlays: view.overlays.map(({ path }) => path),
    overrides: overridesText(view.overrides),
  };
  const read = useReadComposition(view, view.base.path);
  const composed = { ...read, view, outdated: false, busy: false, error: undefined };
  return (
    <Page
      title={t('Composition of {file}', { file: fileName(view.base.path) })}
      sub={t('As it was frozen: its layers, and where each line comes from')}
      flush
      testId="composition-page"
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowsDiff size={15} />}
            onClick={() =>
              navigateTo(
                paths.compareVersions(
                  projectId,
                  sideText({ kind: 'artifact', id: artifactId }),
                  sideText({ kind: 'next', id: artifactId }),
                ),
              )
            }
            data-testid="compare-now"
          >
            {t('Compare with the draft')}
          </Button>
          <Button
            size="xs"
            leftSection={<IconStack2 size={15} />}
            disabled={!mayEdit}
            onClick={() => navigateTo(paths.compose(projectId, { from: artifactId }))}
            data-testid="compose-from"
          >
            {t('Compose a new version')}
          </Button>
        </>
      }
    >
      <div className="sw-compose">
        <div className="sw-compose-form">
          <section aria-labelledby="frozen-layers">
            <h2 className="sw-section-title" id="frozen-layers">
              {t('Layers')}
            </h2>
            <ol className="sw-layers">
              {frozenLayers(view).map(({ path, revision }, index) => (
                <li key={path} data-testid={`frozen-${path}`}>
                  <span
                    className="sw-layer-number"
                    data-layer={layerTone(index === 0 ? 'base' : `overlay ${index - 1}`)}
                  >
                    {index === 0 ? t('Base') : index}
                  </span>
                  <span className="sw-layer-name">
                    <AppLink to={paths.draft(projectId, path)}>{path}</AppLink>
                    <code className="sw-faint">{revision.slice(0, 8)}</code>
                  </span>
                </li>
              ))}
            </ol>
            <AppLink to={paths.artifact(projectId, artifactId)} testId="composition-artifact">
              {t('Open artifact {artifactId}', { artifactId: artifactId.slice(0, 8) })}
            </AppLink>
          </section>
          <section aria-labelledby="frozen-overrides">
            <h2 className="sw-section-title" id="frozen-overrides">
              {t('Overrides')}
            </h2>
            {composing.overrides === '' ? (
              <p className="sw-faint">{t('None.')}</p>
            ) : (
              <pre className="sw-text-box sw-frozen-overrides" data-testid="frozen-overrides">
                {composing.overrides}
              </pre>
            )}
          </section>
        </div>
        <div className="sw-compose-result">
          <ComposedView projectId={projectId} composing={composing} composed={composed} />
        </div>
      </div>
    </Page>
  );
}
