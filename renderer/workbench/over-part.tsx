import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
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

/** A part that has no room beside the main one, over it until Escape or a click outside. */
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
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ content: 'sw-over', body: 'sw-over-body' }}
    >
      {props.children}
    </Drawer>
  );
}
