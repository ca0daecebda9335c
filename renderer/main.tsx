import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import '@xyflow/react/dist/style.css';
import './ui/tokens.css';
import './ui/ui.css';
import './workbench/workbench.css';
import './workbench/panels.css';
import './ui/contrast.css';
import './ui/forced-colors.css';
import './ui/still.css';
import { z } from 'zod';
import { loadSafeStore } from './desktop/safe-store.ts';
import { speakChosenLanguage } from './desktop/spoken-language.ts';
import { loadWindowFacts } from './desktop/this-window.ts';

// The page's content security policy forbids compiling code from text.
z.config({ jitless: true });

/** Tables of texts are made when their modules are read: the language is known by then. */
async function readApplication() {
  await speakChosenLanguage();
  return await import('./app/start.tsx');
}

const root = document.getElementById('root');
if (root !== null) {
  const [{ startWindow }] = await Promise.all([
    readApplication(),
    loadSafeStore(),
    loadWindowFacts(),
  ]);
  startWindow(root);
}
