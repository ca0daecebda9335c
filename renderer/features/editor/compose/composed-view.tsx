import { Tabs } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { paths } from '../../../app/paths.ts';
import { fileName } from '../../../data/draft-names.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ListSkeleton } from '../../../ui/page.tsx';
import { Badge, StatusBadge } from '../../../ui/status-badge.tsx';
import { CompareView } from '../compare/compare-view.tsx';
import type { RangedDiagnostic } from '../spec-protocol.ts';
import { type Composing, layerName, overlayIndex } from './compose-model.ts';
import { type LayerKey, layerAt } from './layer-lines.ts';
import { layerTone, OriginText } from './origin-text.tsx';
import type { Composed } from './use-composed.ts';

/** What layers give together: their text with its origins, what they change, what is wrong with it. */
export function ComposedView(props: {
  readonly projectId: string;
  readonly composing: Composing;
  readonly composed: Composed;
}) {
  const { composing, composed } = props;
  const { view, findings } = composed;
  const [tab, setTab] = useState<string | null>('text');
  const [shown, setShown] = useState<number | null>(null);
  if (view === undefined) {
    return composed.error === undefined ? (
      <ListSkeleton rows={10} />
    ) : (
      <EmptyState compact title={t('Nothing to show yet')}>
        {t('The composed text stands here as soon as every layer can be read.')}
      </EmptyState>
    );
  }
  const errors = (findings ?? []).filter(({ severity }) => severity === 'error').length;
  return (
    <Tabs value={tab} onChange={setTab} className="sw-composed" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="text">{t('Composed text')}</Tabs.Tab>
        <Tabs.Tab value="changes" data-testid="composed-changes">
          {t('Changes to the base')}
        </Tabs.Tab>
        <Tabs.Tab value="findings" data-testid="composed-findings">
          {findings === undefined
            ? t('Findings')
            : t('{count, plural, one {# finding} other {# findings}}', { count: findings.length })}
          {errors > 0 && <IconAlertTriangle className="sw-tab-icon" size={14} aria-hidden />}
        </Tabs.Tab>
        {composed.outdated && (
          <span className="sw-composed-state">
            <Badge tone="neutral" testId="composed-outdated">
              {composed.busy ? t('Composing…') : t('As it was before')}
            </Badge>
          </span>
        )}
      </Tabs.List>
      <Tabs.Panel value="text">
        <Legend composing={composing} composed={composed} shown={shown} onShow={setShown} />
        <OriginText text={view.text} layers={composed.layers} composing={composing} shown={shown} />
      </Tabs.Panel>
      <Tabs.Panel value="changes" className="sw-composed-pane">
        <CompareView
          first="meaning"
          left={view.base_text}
          right={view.text}
          file="composed.yaml"
          labels={[fileName(composing.base), t('Composed')]}
        />
      </Tabs.Panel>
      <Tabs.Panel value="findings" className="sw-composed-pane">
        <Findings
          {...props}
          findings={findings ?? []}
          onShow={(line) => {
            setShown(line);
            setTab('text');
          }}
        />
      </Tabs.Panel>
    </Tabs>
  );
}

/** The layers with the number of their lines; each leads to its next line. */
function Legend(props: {
  readonly composing: Composing;
  readonly composed: Composed;
  readonly shown: number | null;
  readonly onShow: (line: number) => void;
}) {
  const { composing, composed, shown } = props;
  const lines = composed.layers?.lines ?? [];
  const layers: LayerKey[] = [
    'base',
    ...composing.overlays.map((_, index): LayerKey => `overlay ${index}`),
    'overrides',
  ];
  const next = (layer: LayerKey): void => {
    const after = lines.findIndex((one, index) => one === layer && index + 1 > (shown ?? 0));
    const line = after < 0 ? lines.indexOf(layer) : after;
    if (line >= 0) props.onShow(line + 1);
  };
  return (
    <div className="sw-layer-legend" data-testid="layer-legend">
      {layers.map((layer) => {
        const count = lines.filter((one) => one === layer).length;
        if (count === 0 && layer === 'overrides') return null;
        return (
          <button
            key={layer}
            type="button"
            className="sw-bare sw-layer-chip"
            data-layer={layerTone(layer)}
            disabled={count === 0}
            onClick={() => next(layer)}
            title={count === 0 ? t('No line of it is left') : t('Show its next line')}
          >
            {layerName(layer, composing)}{' '}
            <span className="sw-faint">
              {t('{count, plural, one {# line} other {# lines}}', { count })}
            </span>
          </button>
        );
      })}
    </div>
  );
}

function Findings(props: {
  readonly projectId: string;
  readonly composing: Composing;
  readonly composed: Composed;
  readonly findings: readonly RangedDiagnostic[];
  readonly onShow: (line: number) => void;
}) {
  const { composed, composing, findings } = props;
  if (findings.length === 0) {
    return (
      <EmptyState compact title={t('Nothing is wrong with the composed spec')}>
        {t('What the platform says of it is asked when the artifact is checked.')}
      </EmptyState>
    );
  }
  return (
    <ul className="sw-composed-findings">
      {findings.map((finding) => {
        const { code, path, message, range, severity, suggestion } = finding;
        const layer = path === null ? null : layerAt(composed.view?.origins ?? [], path);
        const draft = layer === null ? undefined : draftOf(layer, composing);
        return (
          <li key={`${code} ${path} ${message}`}>
            <StatusBadge status={severity} />
            <span>
              {message}
              {suggestion !== null && <span className="sw-faint"> {suggestion}</span>}
              <span className="sw-finding-ways">
                {range !== null && (
                  <button
                    type="button"
                    className="sw-bare sw-link"
                    onClick={() => props.onShow(range.startLine)}
                  >
                    {t('Line {startLine}', { startLine: range.startLine })}
                  </button>
                )}
                {draft !== undefined && (
                  <AppLink to={paths.draft(props.projectId, draft, { path: path ?? undefined })}>
                    {t('Open {file}', { file: fileName(draft) })}
                  </AppLink>
                )}
                {layer === 'overrides' && (
                  <span className="sw-faint">{t('from the overrides')}</span>
                )}
                <code className="sw-faint">{code}</code>
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function draftOf(layer: LayerKey, { base, overlays }: Composing): string | undefined {
  if (layer === 'base') return base;
  const index = overlayIndex(layer);
  return index === null ? undefined : overlays[index];
}
