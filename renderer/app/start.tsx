import { createRoot } from 'react-dom/client';
import { Application } from './application.tsx';
import { returnToLastPlace } from './last-place.ts';

/** Shows the window at its place. */
export function startWindow(root: HTMLElement): void {
  returnToLastPlace();
  createRoot(root).render(<Application />);
}
