import { createRoot } from 'react-dom/client';
import { freeMemoryAtRest } from '../desktop/rest-memory.ts';
import { Application } from './application.tsx';
import { returnToConnection } from './choose-connection.ts';
import { returnToLastPlace } from './last-place.ts';

/** Shows the window at its place, on its connection. */
export function startWindow(root: HTMLElement): void {
  returnToConnection();
  returnToLastPlace();
  createRoot(root).render(<Application />);
  freeMemoryAtRest();
}
