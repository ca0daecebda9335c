import { ActionIcon } from '@mantine/core';
import { IconGripVertical, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { paths } from '../../../app/paths.ts';
import { fileName } from '../../../data/draft-names.ts';
import { moveTo } from './compose-model.ts';
import { layerTone } from './origin-text.tsx';

/** Overlays in the order in which they are laid over the base: dragged, or moved by keyboard. */
export function LayerList(props: {
  readonly projectId: string;
  readonly overlays: readonly string[];
  readonly onChange: (overlays: readonly string[]) => void;
  /** What is to be said of an overlay, below its name. */
  readonly notes: (index: number) => ReactNode;
}) {
  const { overlays, onChange } = props;
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const focused = useRef<string | null>(null);
  // A row that moves in the document loses the keyboard.
  useEffect(() => {
    const path = focused.current;
    focused.current = null;
    if (path !== null) handleOf(list.current, overlays.indexOf(path))?.focus();
  }, [overlays]);
  const move = (from: number, to: number): void => {
    const moved = moveTo(overlays, from, to);
    if (moved === overlays) return;
    setSaid(
      t('{file} is overlay {to} of {count}', {
        file: fileName(overlays[from] ?? ''),
        to: to + 1,
        count: overlays.length,
      }),
    );
    onChange(moved);
  };
  const onKey = (event: KeyboardEvent, index: number): void => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    if (event.altKey) {
      focused.current = overlays[index] ?? null;
      move(index, index + step);
    } else {
      handleOf(list.current, index + step)?.focus();
    }
  };
  const end = (): void => {
    setDragged(null);
    setOver(null);
  };
  return (
    <>
      <ol className="sw-layers" ref={list} aria-label={t('Overlays, the first one is laid first')}>
        {overlays.map((path, index) => (
          <li
            key={path}
            data-testid={`overlay-${path}`}
            data-over={over === index && dragged !== index ? (dragged ?? 0) < index : undefined}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              setOver(index);
            }}
            onDrop={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              move(dragged, index);
              end();
            }}
          >
            <button
              type="button"
              className="sw-bare sw-layer-handle"
              draggable
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                event.dataTransfer.setData('text/plain', path);
                setDragged(index);
              }}
              onDragEnd={end}
              onKeyDown={(event) => onKey(event, index)}
              aria-label={t('Overlay {index}: {file}. Move with Alt and the arrow keys', {
                index: index + 1,
                file: fileName(path),
              })}
              title={t('Drag, or Alt with the arrow keys')}
              data-handle={index}
            >
              <IconGripVertical size={15} aria-hidden />
              <span className="sw-layer-number" data-layer={layerTone(`overlay ${index}`)}>
                {index + 1}
              </span>
            </button>
            <span className="sw-layer-name">
              <AppLink to={paths.draft(props.projectId, path)}>{path}</AppLink>
              {props.notes(index)}
            </span>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('Take {file} out', { file: fileName(path) })}
              onClick={() => onChange(overlays.filter((_, at) => at !== index))}
            >
              <IconX size={14} />
            </ActionIcon>
          </li>
        ))}
      </ol>
      <div className="sw-visually-hidden" aria-live="polite" data-testid="layer-moved">
        {said}
      </div>
    </>
  );
}

function handleOf(list: HTMLOListElement | null, index: number): HTMLButtonElement | null {
  return list?.querySelector<HTMLButtonElement>(`[data-handle="${index}"]`) ?? null;
}
