import type { FlowSettings } from '../../contract/flow.ts';
import type { RunRecord } from '../../items/run-record.ts';

/** What a step of Dify knows of its app and its run beside what every step does. */
export interface DifyFacts {
  readonly flow: FlowSettings;
  /** By the ids of the source. */
  readonly record: RunRecord;
  readonly id: string;
}
