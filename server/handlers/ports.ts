import type { Credential } from '../contract/credentials.ts';
import type { JsonObject } from '../items/item.ts';
import type { SendHttp } from './http-port.ts';
import type { ComposeMail, SendMail } from './mail-port.ts';
import type { OpenSql } from './sql-port.ts';

/** Digests, signatures and chance. Names of algorithms are those of OpenSSL. */
export interface CryptoPort {
  hash(algorithm: string, data: Uint8Array): Uint8Array;
  hmac(algorithm: string, secret: string, data: Uint8Array): Uint8Array;
  /** Signs with a private key in PEM. @throws StepFailure when the key cannot be used */
  sign(algorithm: string, privateKey: string, data: Uint8Array): Uint8Array;
  randomBytes(count: number): Uint8Array;
  randomUuid(): string;
}

export interface ArchivedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Packs and unpacks, within limits of size. @throws StepFailure */
export interface ArchivePort {
  gzip(bytes: Uint8Array): Promise<Uint8Array>;
  gunzip(bytes: Uint8Array): Promise<Uint8Array>;
  zip(files: readonly ArchivedFile[]): Promise<Uint8Array>;
  unzip(bytes: Uint8Array): Promise<readonly ArchivedFile[]>;
}

/**
 * Calls a tool of an MCP server by its key in `mcp_servers`; the answer is its text.
 * @throws StepFailure in the words of the server, or when the draft has none of that name
 */
export type CallMcp = (server: string, tool: string, given: JsonObject) => Promise<string>;

/** What built-in steps need of the world. */
export interface HandlerPorts {
  readonly http: SendHttp;
  readonly mail: SendMail;
  readonly composeMail: ComposeMail;
  readonly postgres: OpenSql;
  readonly mcp: CallMcp;
  /** What a credential of the source is bound to: its type and its name there; null when to nothing. */
  readonly credential: (type: string, name: string) => Promise<Credential | null>;
  readonly crypto: CryptoPort;
  readonly archives: ArchivePort;
  /** Waits so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}
