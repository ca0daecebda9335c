import type { JsonObject } from '../items/item.ts';

/** A server that sends mail on. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `starttls` before anything is told, or `none`. */
  readonly secure: 'tls' | 'starttls' | 'none';
  /** Empty: nobody signs in. */
  readonly user: string;
  readonly password: string;
}

export interface MailFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  /** What markup of the mail calls it, as in `cid:logo`. */
  readonly id?: string;
}

/** Addresses are texts with commas between them; empty where there are none. */
export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly replyTo: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly files: readonly MailFile[];
  /** The identifier of the mail that this one answers. */
  readonly answersTo?: string;
}

/** A mail as it is sent, its blind copies named in it. @throws StepFailure */
export type ComposeMail = (mail: Mail) => Promise<Uint8Array>;

/** Sends one mail and gives what the server told of it. @throws StepFailure */
export type SendMail = (server: MailServer, mail: Mail) => Promise<JsonObject>;
