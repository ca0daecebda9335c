import type { BrowserWindow } from 'electron';
import type { WindowStart } from '../preload/desktop-api.ts';
import type { ShellStateStore } from './shell-state.ts';
import { addressOf, placeOfAddress, projectOfPlace, type WindowRecord } from './window-record.ts';

export interface WindowSetDeps {
  /** Origin of the workbench's own document. */
  readonly home: string;
  readonly safe: boolean;
  readonly state: ShellStateStore;
  readonly newId: () => string;
  /** Makes the window of a record; `beside` is the one that it must not cover. */
  readonly make: (record: WindowRecord, beside: BrowserWindow | undefined) => BrowserWindow;
  /** Follows what happens in a window, until it closes. */
  readonly follow: (window: BrowserWindow) => void;
  /** Other windows are open now. */
  readonly onChange: () => void;
}

interface Open {
  record: WindowRecord;
  start: WindowStart;
}

/** How long a window that is moved or resized must rest before its place is written. */
const REST_MS = 300;

/** The windows that are open, each with what is kept of it. */
export class WindowSet {
  readonly #deps: WindowSetDeps;
  readonly #open = new Map<BrowserWindow, Open>();
  #ending = false;
  /** Windows that are not put back before somebody says so. */
  #held: readonly WindowRecord[] = [];

  constructor(deps: WindowSetDeps) {
    this.#deps = deps;
  }

  /** All windows, the one that was used last at the end. */
  get all(): readonly BrowserWindow[] {
    return [...this.#open.keys()];
  }

  /** The window that was used last. */
  get latest(): BrowserWindow | undefined {
    return this.all.at(-1);
  }

  get ids(): readonly string[] {
    return [...this.#open.values()].map(({ record }) => record.id);
  }

  recordOf(window: BrowserWindow): WindowRecord | undefined {
    return this.#open.get(window)?.record;
  }

  /** The window that shows a project; of several the one that was used last. */
  showing(project: string): BrowserWindow | undefined {
    return this.all.findLast((window) => this.recordOf(window)?.project === project);
  }

  /** Changes what is kept of a window; it is on the disk within moments. */
  update(window: BrowserWindow, part: Partial<Omit<WindowRecord, 'id'>>): void {
    const open = this.#open.get(window);
    if (open === undefined) return;
    open.record = { ...open.record, ...part };
    this.#keep();
  }

  /** How the document of a window came to be; a later document of the window was loaded again. */
  takeStart(window: BrowserWindow): WindowStart {
    const open = this.#open.get(window);
    if (open === undefined) return 'new';
    const { start } = open;
    open.start = 'reload';
    return start;
  }

  /** Opens the windows that were open before, or one where there was none. */
  restore(start: 'quit' | 'crash'): void {
    const { windows } = this.#deps.state.value;
    for (const record of windows) this.#add(record, start);
    if (windows.length === 0) this.open();
  }

  /** Opens one window with the page that says that the program ends again and again. */
  holdBack(): void {
    this.#held = this.#deps.state.value.windows.slice(0, -1);
    const record = this.#deps.state.value.windows.at(-1);
    const window = record === undefined ? this.open() : this.#add(record, 'crash');
    this.giveUp(window, 'program');
  }

  /** Shows in a window that it, or the program, ends again and again, instead of the workbench. */
  giveUp(window: BrowserWindow, of: 'window' | 'program'): void {
    // While a window is told that its process ended, it loads nothing.
    setImmediate(() => {
      if (!window.isDestroyed()) void window.loadURL(`${this.#deps.home}/stopped.html?of=${of}`);
    });
  }

  /** Loads a window that was given up at its place, and opens those that were held back. */
  tryAgain(window: BrowserWindow): void {
    const open = this.#open.get(window);
    if (open === undefined) return;
    open.start = 'crash';
    void window.loadURL(addressOf(open.record, this.#deps.home, this.#deps.safe));
    const held = this.#held;
    this.#held = [];
    for (const record of held) this.#add(record, 'crash');
  }

  /** Opens another window. */
  open(): BrowserWindow {
    const kept = this.#deps.state.value.windows.at(-1);
    const nowhere = { place: null, project: null };
    return this.#add(
      {
        id: this.#deps.newId(),
        bounds: kept?.bounds,
        maximized: kept?.maximized ?? false,
        ...nowhere,
        connection: kept?.connection ?? null,
      },
      'new',
    );
  }

  /** Brings a window before the others. */
  show(window: BrowserWindow): void {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** The program ends: windows that close from now on come back at the next start. */
  end(): void {
    for (const window of this.all) this.#lie(window);
    this.#ending = true;
  }

  #add(record: WindowRecord, start: WindowStart): BrowserWindow {
    const window = this.#deps.make(record, start === 'new' ? this.latest : undefined);
    this.#open.set(window, { record, start });
    this.#remember(window);
    this.#deps.follow(window);
    this.#keep();
    this.#deps.onChange();
    return window;
  }

  #remember(window: BrowserWindow): void {
    let pending: NodeJS.Timeout | undefined;
    const soon = () => {
      clearTimeout(pending);
      pending = setTimeout(() => this.#lie(window), REST_MS);
    };
    const went = (address: string) => {
      const place = placeOfAddress(address, this.#deps.home);
      if (place !== null) this.update(window, { place, project: projectOfPlace(place) });
    };
    window.on('resize', soon);
    window.on('move', soon);
    window.on('close', () => this.#lie(window));
    window.on('focus', () => this.#used(window));
    window.webContents.on('did-navigate', (_event, address) => went(address));
    window.webContents.on('did-navigate-in-page', (_event, address, isMainFrame) => {
      if (isMainFrame) went(address);
    });
    window.once('closed', () => {
      clearTimeout(pending);
      this.#closed(window);
    });
  }

  #lie(window: BrowserWindow): void {
    if (window.isDestroyed()) return;
    this.update(window, { bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  }

  #used(window: BrowserWindow): void {
    const open = this.#open.get(window);
    if (open === undefined || this.latest === window) return;
    this.#open.delete(window);
    this.#open.set(window, open);
    this.#keep();
  }

  #closed(window: BrowserWindow): void {
    // The last window closes with the program, and is there again at its next start.
    const stays = this.#ending || this.#open.size === 1;
    this.#open.delete(window);
    if (!stays) this.#keep();
    this.#deps.onChange();
  }

  #keep(): void {
    if (this.#ending) return;
    const open = [...this.#open.values()].map(({ record }) => record);
    this.#deps.state.update({ windows: [...this.#held, ...open] });
  }
}
