import { t } from '../../preload/texts/t.ts';
import './stopped.css';
import { desktopApi } from '../desktop/bridge.ts';

// This page stands by itself: what stops the workbench must not stop what says so.

const WHAT = {
  window: t('The window ended three times within a minute and is not loaded again by itself.'),
  program: t('The program ended three times in a row soon after its start.'),
} as const;

function press(id: string, act: () => void): void {
  document.getElementById(id)?.addEventListener('click', act);
}

const what = document.getElementById('what');
const of = new URLSearchParams(window.location.search).get('of');
if (what !== null) {
  what.textContent = of === 'program' ? WHAT.program : WHAT.window;
}
press('again', () => void desktopApi()?.tryAgain());
press('safe', () => void desktopApi()?.restart('safe'));
press('logs', () => void desktopApi()?.showLogs());
document.querySelector('h1')?.focus();
