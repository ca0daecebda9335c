import { createRoot } from 'react-dom/client';
import { freeMemoryAtRest } from '../desktop/rest-memory.ts';
import { Application } from './application.tsx';
import { returnToConnection } from './choose-connection.ts';
import { returnToLastPlace } from './last-place.ts';
import { watchLostParts } from './lost-parts.ts';

/** Shows the window at its place, on its connection. */
export function startWindow(root: HTMLElement): void {
  watchLostParts();
  returnToConnection();
  returnToLastPlace();
  createRoot(root).render(<Application />);
  freeMemoryAtRest();
}
