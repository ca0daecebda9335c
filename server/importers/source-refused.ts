import type { AnalyzeRefusal, AnalyzeRefusalCode } from './analysis.ts';

const STATUS: Readonly<Record<AnalyzeRefusalCode, number>> = {
  raw_required: 422,
  source_too_large: 413,
  source_unknown: 404,
  not_implemented: 501,
  source_unparseable: 422,
  source_too_complex: 413,
  importer_graph_invalid: 500,
  source_credential_in_generated_content: 422,
  analysis_cards_invalid: 500,
};

/** Where a refusal looks: the node, the field, the path into the source document. */
export type RefusalPlace = Readonly<Record<string, string | number>>;

/** Ends a conversion. `analyze` turns it into a refused outcome; it never leaves the room. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';
  readonly code: AnalyzeRefusalCode;
  readonly place: RefusalPlace | undefined;

  constructor(code: AnalyzeRefusalCode, message: string, place?: RefusalPlace) {
    super(message);
    this.code = code;
    this.place = place;
  }

  /** The outcome that the caller of `analyze` sees. */
  toOutcome(): AnalyzeRefusal {
    const outcome: AnalyzeRefusal = {
      ok: false,
      status: STATUS[this.code],
      code: this.code,
      message: this.message,
    };
    if (this.place !== undefined) outcome.details = { ...this.place };
    return outcome;
  }
}

/** Refuses a source that cannot be read, naming the place. */
export function unparseable(message: string, place?: RefusalPlace): SourceRefused {
  return new SourceRefused('source_unparseable', message, place);
}
