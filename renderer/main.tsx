import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import '@xyflow/react/dist/style.css';
import './ui/tokens.css';
import './ui/ui.css';
import './workbench/workbench.css';
import './workbench/panels.css';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { Application } from './app/application.tsx';
import { returnToLastPlace } from './app/last-place.ts';
import { loadSafeStore } from './desktop/safe-store.ts';
import { loadWindowFacts } from './desktop/this-window.ts';

// The page's content security policy forbids compiling code from text.
z.config({ jitless: true });

const root = document.getElementById('root');
if (root !== null) {
  await Promise.all([loadSafeStore(), loadWindowFacts()]);
  returnToLastPlace();
  createRoot(root).render(<Application />);
}
