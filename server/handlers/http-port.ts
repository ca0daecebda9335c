/** One request as it is sent. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** How many redirects are followed; with 0 a redirect is the answer. */
  readonly maxRedirects: number;
  readonly timeoutMs: number;
  /** Hosts that a credential in it is bound for, with those below them; absent = for any. */
  readonly onlyTo?: readonly string[];
  /** Headers that hold a secret: they are not sent on to another origin. */
  readonly guarded?: readonly string[];
}

/** What the server answered, whatever its status. */
export interface HttpAnswer {
  /** The address that answered, behind all redirects. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case; a header that may come several times is a list. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
}

/** No answer came: the connection failed, took too long, or was refused here. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  /** What the system calls it, such as `ECONNREFUSED`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Sends one request. @throws HttpFailure */
export type SendHttp = (request: HttpRequest) => Promise<HttpAnswer>;
