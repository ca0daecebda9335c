import { t } from '../../preload/texts/t.ts';

/** What a saved state was saved after (spec-v1 15). */
const WORDS: Readonly<Record<string, string>> = {
  run_started: t('run started'),
  step_completed: t('step completed'),
  node_completed: t('node completed'),
  step_failed: t('step failed'),
  human_pause: t('waits for a person'),
  human_resume: t('a person answered'),
  replay_context: t('context of a replay'),
  run_completed: t('run completed'),
  run_failed: t('run failed'),
  run_cancelled: t('run cancelled'),
  run_timed_out: t('run timed out'),
};

/** The type of a checkpoint in words. */
export function checkpointWords(type: string): string {
  return WORDS[type] ?? type.replaceAll('_', ' ');
}
