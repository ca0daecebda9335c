import { notificationsStore } from '@mantine/notifications';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Of what tells news: as wide as the library makes it, and three lines high. */
const WIDTH = 456;
const HEIGHT = 100;
/** What the window has above and below its page. */
const EDGE = 56;

/** The usual corner first. */
const CORNERS = ['bottom-right', 'top-right', 'bottom-left', 'top-left'] as const;
type Corner = (typeof CORNERS)[number];

function boxAt(corner: Corner, room: { width: number; height: number }, told: number): Box {
  const height = told * HEIGHT + EDGE;
  const left = corner.endsWith('left') ? 0 : room.width - WIDTH;
  const top = corner.startsWith('top') ? 0 : room.height - height;
  return { left, top, right: left + WIDTH, bottom: top + height };
}

function isCovered(button: Box, by: Box): boolean {
  return (
    button.left < by.right &&
    by.left < button.right &&
    button.top < by.bottom &&
    by.top < button.bottom
  );
}

/** The first corner in which so many lines cover none of the buttons; the usual one where none is free. */
export function cornerBeside(
  buttons: readonly Box[],
  room: { readonly width: number; readonly height: number },
  told: number,
): Corner {
  const isFree = (corner: Corner): boolean => {
    const box = boxAt(corner, room, told);
    return !buttons.some((button) => isCovered(button, box));
  };
  return CORNERS.find(isFree) ?? CORNERS[0];
}

/** Filled buttons, and all of a group that says that it is kept free. */
const MAIN =
  '.mantine-Button-root:not([data-variant]), .mantine-Button-root[data-variant=filled], [data-kept-free] button';

/** The buttons that a page is there for, as they stand in the window now. */
function mainButtons(): readonly Box[] {
  return [...document.querySelectorAll(MAIN)]
    .filter((button) => button.closest('.mantine-Notifications-root') === null)
    .map((button) => button.getBoundingClientRect())
    .filter(({ width }) => width > 0);
}

/** Where the next thing that is told covers nothing that somebody is about to press. */
export function freeCorner(): Corner {
  const { notifications, limit } = notificationsStore.getState();
  const told = Math.min(notifications.length + 1, limit);
  return cornerBeside(mainButtons(), { width: innerWidth, height: innerHeight }, told);
}
