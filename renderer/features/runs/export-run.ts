import { t } from '../../../preload/texts/t.ts';
import { listAnnotations } from '../../../server/contract/dashboard/annotations.ts';
import {
  getReplay,
  getRunRecord,
  getTrace,
} from '../../../server/contract/dashboard/run-record.ts';
import { call } from '../../data/api-client.ts';
import { saveTextFile } from '../../desktop/bridge.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { trackWork } from '../../workbench/work-store.ts';

const PAGE = 1_000;
/** The farthest place of a list that the platform answers (contract/platform.md 1.5). */
const LAST_OFFSET = 10_000;

async function wholeTrace(runId: string) {
  const events: unknown[] = [];
  for (let offset = 0; offset <= LAST_OFFSET; offset += PAGE) {
    const page = await call(getTrace, {
      params: { run_id: runId },
      query: { limit: PAGE, offset },
    });
    events.push(...page.events);
    if (page.events.length < PAGE) {
      return { events, total: page.total, dropped: page.dropped };
    }
  }
  return { events, total: events.length, dropped: 0 };
}

async function readWhole(runId: string): Promise<string> {
  const params = { run_id: runId };
  const [run, trace, replay, notes] = await Promise.all([
    call(getRunRecord, { params }),
    wholeTrace(runId),
    call(getReplay, { params }),
    call(listAnnotations, { params }),
  ]);
  const whole = { format: 'run-export/1', run, trace, checkpoints: replay.timeline, notes };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** Saves everything that can be read of a run: its record, trace, checkpoints and notes, redacted as shown. */
export async function exportRun(runId: string): Promise<void> {
  const text = await trackWork(t('Reading the run to export'), readWhole(runId));
  const { saved } = await saveTextFile(`run-${runId.slice(-8)}.json`, text);
  if (saved) {
    notifyDone(t('The run is exported'));
  }
}
