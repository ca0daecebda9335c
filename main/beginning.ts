import { t } from '../preload/texts/t.ts';
import type { Incidents } from './incidents.ts';
import type { ShellStateStore } from './shell-state.ts';
import type { WindowSet } from './window-set.ts';

/** A start that ends unexpectedly after this long does not count as one of a row. */
const STEADY_MS = 60_000;
/** After so many starts in a row that ended at once, nothing is put back by itself. */
const MOST_CRASHES = 3;

/** Opens the windows that were open before, and says once that the program ended unexpectedly. */
export function beginWindows(windows: WindowSet, state: ShellStateStore, told: Incidents): void {
  const crashed = state.value.running;
  const crashes = crashed ? state.value.crashes + 1 : 0;
  state.update({ running: true, crashes });
  if (crashes >= MOST_CRASHES) windows.holdBack();
  else windows.restore(crashed ? 'crash' : 'quit');
  if (crashed) {
    const message = t(
      'Specwright ended unexpectedly. Its windows and their unsaved text are back.',
    );
    told.add({ of: 'program', message });
  }
  setTimeout(() => state.update({ crashes: 0 }), STEADY_MS).unref();
}
