/** Where spans are sent, and which texts of calls go with them. */
export interface TelemetryConfig {
  readonly recorded: { readonly arguments: boolean; readonly results: boolean };
  /** Address that takes spans as OTLP over HTTP. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for one batch. */
  readonly timeoutMs: number;
  readonly serviceName: string;
  readonly resource: Readonly<Record<string, string>>;
  /** Spans that may wait. */
  readonly queueSpans: number;
  readonly batchSpans: number;
  /** Milliseconds from the first span of a batch until it is sent. */
  readonly delayMs: number;
}
