import type { HumanTaskDetail } from '../../server/contract/dashboard/human-tasks.ts';

/** A task that asks for an approval. */
export const PENDING_TASK: HumanTaskDetail = {
  ...{ continuation_id: 'c1', run_id: 'r1', workflow_name: 'flow', status: 'pending' },
  ...{ request_summary: 'May this be sent?', request_id: 'q1', messages: [], context: {} },
  ...{ request_type: 'approval', options: [], default_option: null, on_timeout: null },
  ...{ expires_at: null, title: null, prompt: null, assignee: null, requested_by: null },
  ...{ input_text: 'the letter', response_role: null, deadline_age: '', near_deadline: false },
};
