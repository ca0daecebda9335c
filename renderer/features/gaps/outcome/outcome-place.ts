import type { AnalysisView } from '../../../../server/contract/studio/analyses.ts';
import type { Links } from '../links.ts';

/** An import, its draft, and how the source's elements and the draft's parts belong together. */
export interface OutcomePlace {
  readonly projectId: string;
  readonly analysis: AnalysisView;
  readonly draftRef: string;
  readonly links: Links;
}
