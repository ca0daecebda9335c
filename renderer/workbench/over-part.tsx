import { ActionIcon, Drawer } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../preload/texts/t.ts';
import { useStore } from '../ui/store.ts';
import { useRoom } from '../ui/use-room.ts';
import { closeOver, type FramePart, layoutStore, overStore, PART_ROOM } from './layout-store.ts';

/** Whether a part has room, and where it is to be drawn. */
export function usePart(part: FramePart): {
  readonly room: boolean;
  readonly docked: boolean;
  readonly over: boolean;
} {
  const wanted = useStore(layoutStore)[part];
  const over = useStore(overStore);
  const room = useRoom(PART_ROOM[part]);
  return { room, docked: room && wanted, over: !room && over === part };
}

/**
 * A part that has no room beside the main one, over it until Escape or a click outside. The part
 * draws its own head.
 */
export function OverPart(props: {
  readonly title: string;
  readonly position: 'left' | 'right' | 'bottom';
  readonly opened: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Drawer
      opened={props.opened}
      onClose={closeOver}
      position={props.position}
      size={props.position === 'bottom' ? '75%' : 'min(420px, 88%)'}
      title={props.title}
      withCloseButton={false}
      classNames={{ header: 'sw-visually-hidden', content: 'sw-over', body: 'sw-over-body' }}
    >
      {props.children}
    </Drawer>
  );
}

/** Closes the part while it lies over the rest; nothing while it has its place. */
export function CloseOver(props: { readonly part: FramePart }) {
  const { over } = usePart(props.part);
  return over ? (
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('Close')} onClick={closeOver}>
      <IconX size={16} aria-hidden />
    </ActionIcon>
  ) : null;
}
