// As far as handlers use it: its own types bring those of Node into a room that has none.
interface ParseOptions {
  readonly delimiter?: string;
  readonly bom?: boolean;
  readonly columns?: boolean;
  readonly from_line?: number;
  readonly to?: number;
  readonly relax_quotes?: boolean;
  readonly skip_records_with_error?: boolean;
}
export function parse(text: string, options: ParseOptions): unknown;
