/** Where a window lies on the screens. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One window, as it is kept between two starts. */
export interface WindowRecord {
  /** Names the window for as long as it is kept, over restarts too. */
  readonly id: string;
  readonly bounds: Bounds | undefined;
  readonly maximized: boolean;
  /** The view, as the renderer's router reads it, with its query; null before one was shown. */
  readonly place: string | null;
  /** The project of that view. */
  readonly project: string | null;
  /** The connection that the window works over; null is this computer. */
  readonly connection: string | null;
}

/** More windows are not put back. */
const MOST_WINDOWS = 16;
const LONGEST_PLACE = 4_096;
const PLACE = /^\/(?!\/)/;
const PROJECT = /^\/projects\/([^/?]+)/;

/** Reads saved bounds; what is none counts as not saved. */
export function readBounds(value: unknown): Bounds | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { x, y, width, height } = { x: null, y: null, width: null, height: null, ...value };
  const whole = (n: unknown): n is number => typeof n === 'number' && Number.isInteger(n);
  if (!whole(x) || !whole(y) || !whole(width) || !whole(height)) return undefined;
  return width >= 400 && height >= 300 ? { x, y, width, height } : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function readPlace(value: unknown): string | null {
  const isPlace = typeof value === 'string' && value.length <= LONGEST_PLACE && PLACE.test(value);
  return isPlace ? value : null;
}

/** The project that a place belongs to. */
export function projectOfPlace(place: string | null): string | null {
  const found = PROJECT.exec(place ?? '')?.[1];
  return found === undefined ? null : decoded(found);
}

/** The address of a project. */
export function linkOfProject(project: string): string {
  return `specwright://project/${encodeURIComponent(project)}`;
}

/** The project that a `specwright://` address is in. */
export function projectOfLink(address: string): string | null {
  const [, id] = /^specwright:\/\/project\/([^/?]+)/i.exec(address) ?? [];
  return id === undefined ? null : decoded(id);
}

/** The address that shows the place of a window; one in safe mode begins without what it kept. */
export function addressOf({ place }: WindowRecord, home: string, safe: boolean): string {
  return `${home}/${safe ? '?safe' : ''}${place === null ? '' : `#${place}`}`;
}

/** The place that an address of the workbench's own document shows; null for any other address. */
export function placeOfAddress(address: string, home: string): string | null {
  if (!address.startsWith(`${home}/`) || !URL.canParse(address)) return null;
  const { hash, pathname } = new URL(address);
  return pathname === '/' ? readPlace(hash === '' ? '/' : hash.slice(1)) : null;
}

function readRecord(value: unknown): WindowRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const none = { id: null, bounds: null, maximized: null, place: null, connection: null };
  const { id, bounds, maximized, place, connection } = { ...none, ...value };
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return undefined;
  const kept = readPlace(place);
  return {
    id,
    bounds: readBounds(bounds),
    maximized: maximized === true,
    place: kept,
    project: projectOfPlace(kept),
    connection: typeof connection === 'string' && connection !== '' ? connection : null,
  };
}

/** Reads saved windows; one that is not understood is left out, and so is a second one of a name. */
export function readWindows(value: unknown): readonly WindowRecord[] {
  if (!Array.isArray(value)) return [];
  const byId = new Map<string, WindowRecord>();
  for (const one of value) {
    const record = readRecord(one);
    if (record !== undefined && !byId.has(record.id)) byId.set(record.id, record);
  }
  return [...byId.values()].slice(-MOST_WINDOWS);
}

/** True when enough of the window lies on one of the screens to be grabbed. */
export function isOnScreen(bounds: Bounds, screens: readonly Bounds[]): boolean {
  return screens.some((screen) => {
    const right = Math.min(bounds.x + bounds.width, screen.x + screen.width);
    const bottom = Math.min(bounds.y + bounds.height, screen.y + screen.height);
    return (
      right - Math.max(bounds.x, screen.x) >= 100 && bottom - Math.max(bounds.y, screen.y) >= 60
    );
  });
}
