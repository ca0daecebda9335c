import { Button } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import type { CanvasView } from '../../../server/contract/studio/analyses.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { DraftLines } from './draft-lines.tsx';
import type { Links } from './links.ts';
import { typeText } from './source/canvas-model.ts';

/** A source element that has no gaps: where it went. */
export function NodeCardPane(props: {
  readonly projectId: string;
  readonly draftPath: string | undefined;
  readonly node: CanvasView['nodes'][number];
  readonly links: Links;
  readonly text: string | undefined;
}) {
  const { node, draftPath } = props;
  const place = props.links.placeOf.get(node.source_id);
  return (
    <article className="sw-gap-card" aria-live="polite" data-testid="node-card">
      <div className="sw-gap-card-head">
        <span className="sw-faint">{typeText(node.type)}</span>
      </div>
      <h2>{node.label}</h2>
      <p className="sw-gap-detail">
        {place === undefined
          ? t('No gap. It has no lines of its own in the draft.')
          : t('No gap. The draft carries it.')}
      </p>
      {place !== undefined && draftPath !== undefined && (
        <div className="sw-gap-actions">
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              navigateTo(paths.draft(props.projectId, draftPath, { path: place.path }))
            }
          >
            {t('Open in editor')}
          </Button>
        </div>
      )}
      {place !== undefined && props.text !== undefined && (
        <DraftLines text={props.text} place={place} />
      )}
    </article>
  );
}
