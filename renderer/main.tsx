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

async function begin(root: HTMLElement): Promise<void> {
  const [{ startWindow }] = await Promise.all([
    readApplication(),
    loadSafeStore(),
    loadWindowFacts(),
  ]);
  startWindow(root);
}

const root = document.getElementById('root');
if (root !== null) {
  // Not awaited here: modules that the application shares with this one wait for its end.
  void begin(root);
}
