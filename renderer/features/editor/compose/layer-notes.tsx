import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { readDraft } from '../../../../server/contract/studio/drafts.ts';
import type { CompositionView } from '../../../../server/contract/studio/govern.ts';
import { addDraft } from '../../../data/actions.ts';
import { draftTitle, fileName } from '../../../data/draft-names.ts';
import { routeQuery } from '../../../data/query-client.ts';
import { invalidateAuthoring } from '../../../data/studio.ts';
import { useAction } from '../../../data/use-action.ts';
import { DiffView } from '../../../ui/diff-view.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Badge } from '../../../ui/status-badge.tsx';
import { Unread } from '../../../ui/unread.tsx';
import { type ComposedLayer, type ComposeFault, frozenLayers } from './compose-model.ts';

/** What is to be said of a layer: its revision, how it stands to the artifact, what is wrong with it. */
export function LayerNotes(props: {
  readonly projectId: string;
  readonly layer: ComposedLayer;
  /** What the artifact was made of, when there is one. */
  readonly from: CompositionView | undefined;
  readonly fault: ComposeFault | undefined;
  readonly kind: 'spec' | 'overlay';
  /** Puts another draft in its place. */
  readonly onReplace: (path: string) => void;
  /** Takes it out; absent for a base. */
  readonly onRemove?: () => void;
}) {
  const { projectId, layer, from, fault, kind } = props;
  const [comparing, setComparing] = useState(false);
  const known = from === undefined ? [] : frozenLayers(from);
  const frozen = known.find(({ path }) => path === layer.path);
  const restoring = useAction(async () => {
    if (frozen === undefined) return;
    const made = await addDraft(projectId, draftTitle(layer.path), frozen.text, kind);
    props.onReplace(made.ref);
  });
  const missing = layer.state === 'missing';
  return (
    <>
      <span className="sw-layer-facts">
        {layer.revision !== null && <code className="sw-faint">{layer.revision.slice(0, 8)}</code>}
        {layer.state === 'changed' && <Badge tone="info">{t('Changed since that version')}</Badge>}
        {layer.state === 'same' && <span className="sw-faint">{t('as in that version')}</span>}
        {missing && <Badge tone="danger">{t('Not there')}</Badge>}
        {layer.state === 'changed' && frozen !== undefined && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => setComparing(true)}
            data-testid="layer-changes"
          >
            {t('What changed')}
          </Button>
        )}
      </span>
      {(missing || fault !== undefined) && (
        <span className="sw-layer-fault" role="alert" data-testid="layer-fault">
          {missing ? t('There is no such draft, or its file cannot be read.') : fault?.text}
          <span className="sw-layer-ways">
            {!missing && fault?.error.code === 'draft_stale' && (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => void invalidateAuthoring()}
                data-testid="layer-refresh"
              >
                {t('Use it as it is now')}
              </Button>
            )}
            {missing && frozen !== undefined && (
              <Button
                size="compact-xs"
                variant="default"
                loading={restoring.busy}
                onClick={() => restoring.start()}
                title={t('Makes a draft of the text as it was frozen')}
                data-testid="layer-restore"
              >
                {t('Write it again')}
              </Button>
            )}
            {props.onRemove !== undefined && (
              <Button
                size="compact-xs"
                variant="default"
                onClick={props.onRemove}
                data-testid="layer-remove"
              >
                {t('Take it out')}
              </Button>
            )}
          </span>
          {restoring.error !== undefined && (
            <ErrorState compact title={t('It was not written')} error={restoring.error} />
          )}
        </span>
      )}
      {comparing && frozen !== undefined && (
        <Modal
          opened
          size="xl"
          onClose={() => setComparing(false)}
          title={t('{file}: since that version', { file: fileName(layer.path) })}
        >
          <LayerChanges projectId={projectId} path={layer.path} before={frozen.text} />
        </Modal>
      )}
    </>
  );
}

function LayerChanges(props: {
  readonly projectId: string;
  readonly path: string;
  readonly before: string;
}) {
  const { projectId, path, before } = props;
  const query = useQuery(routeQuery(readDraft, { params: { project_id: projectId, ref: path } }));
  if (query.data === undefined) return <Unread query={query} rows={4} compact />;
  return (
    <DiffView before={before} after={query.data.text} label={t('Changes of {path}', { path })} />
  );
}
