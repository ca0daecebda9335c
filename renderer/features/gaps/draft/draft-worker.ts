import { draftTargets } from '../../../../server/gaps/fixes/draft-targets.ts';
import { applyFix, fixOffers, sharedOffers } from '../../../../server/gaps/fixes/fixes.ts';
import { answerCalls } from '../../../data/worker-answers.ts';
import type { DraftRequests } from './draft-protocol.ts';
import { readDraftText } from './draft-reading.ts';

answerCalls<DraftRequests>({
  read: (input) => readDraftText(input, input.sources),
  offers: (input) => fixOffers(input, input.targets),
  fix: (input) => applyFix(input, input),
  prepare: (input) => {
    const targets = draftTargets(input, input.canvas, input.gaps);
    return { targets, offers: sharedOffers(input, targets) };
  },
});
