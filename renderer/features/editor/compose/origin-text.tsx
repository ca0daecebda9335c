import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { type Composing, layerName, overlayIndex } from './compose-model.ts';
import type { ComposedLayers, LayerKey } from './layer-lines.ts';

const LINE_HEIGHT = 20;
const COLOURS = 6;

/** What colours a layer: overlays take turns. */
export function layerTone(layer: LayerKey | null): string {
  if (layer === null) return 'none';
  const overlay = overlayIndex(layer);
  return overlay === null ? layer : `overlay-${overlay % COLOURS}`;
}

/** The composed text; each line says which layer it comes from. */
export function OriginText(props: {
  readonly text: string;
  readonly layers: ComposedLayers | undefined;
  readonly composing: Composing;
  /** A line from 1 that is brought into view. */
  readonly shown: number | null;
}) {
  const { text, layers, composing, shown } = props;
  const host = useRef<HTMLElement>(null);
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => host.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  useEffect(() => {
    if (shown !== null) virtual.scrollToIndex(shown - 1, { align: 'center' });
  }, [shown, virtual]);
  return (
    <section
      ref={host}
      className="sw-origin-text"
      aria-label={t('Composed text')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled by keyboard too
      tabIndex={0}
      data-testid="composed-text"
    >
      <ol style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const layer = layers?.lines[index] ?? null;
          const first = index === 0 || layer !== (layers?.lines[index - 1] ?? null);
          const name = layer === null ? '' : layerName(layer, composing);
          return (
            <li
              key={index}
              style={{ transform: `translateY(${start}px)`, height: LINE_HEIGHT }}
              data-layer={layerTone(layer)}
              data-shown={shown === index + 1}
              title={name}
            >
              <span className="sw-origin-number">{index + 1}</span>
              <span className="sw-origin-name">
                {first ? name : <span className="sw-visually-hidden">{name}</span>}
              </span>
              <Code line={lines[index] ?? ''} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const LEAD = /^\s*(?:- )*/;
const KEY = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#[{][^:]*):(?= |$)/;

function Code(props: { readonly line: string }) {
  const [lead = ''] = LEAD.exec(props.line) ?? [];
  const [key = ''] = KEY.exec(props.line.slice(lead.length)) ?? [];
  return (
    <code>
      {lead}
      {key !== '' && <span className="sw-origin-key">{key}</span>}
      {props.line.slice(lead.length + key.length)}
    </code>
  );
}
