import type { Template } from './template.ts';

/** How a credential that holds one secret is sent: the binding of another kind says it itself. */
export type Auth =
  | { readonly as: 'bearer' | 'path' | 'basic' }
  | { readonly as: 'header'; readonly name: string; readonly prefix?: string }
  | { readonly as: 'query'; readonly name: string };

/** One HTTP request. */
export interface ServiceRequest {
  /** Method and path (`GET /users/{userId}`): braces hold settings, or `@` and what surrounds it. */
  readonly call: string;
  readonly query?: Template;
  readonly headers?: Template;
  /** At most one of these: what the request carries. */
  readonly json?: Template;
  readonly form?: Template;
  readonly multipart?: Template;
  /** The setting that names the file which is the whole body. */
  readonly bytes?: { readonly path: string; readonly or: string };
}

/** How answer after answer is asked for. */
export interface Paging {
  /**
   * `page`: a number that counts up; `offset`: how many came before; `cursor`: what the answer
   * names; `next`: the whole address of the next page, out of the answer; `link`: out of its header; `once`:
   * all of it comes at once, and is cut here.
   */
  readonly by: 'page' | 'offset' | 'cursor' | 'next' | 'link' | 'once';
  /** The parameter that is set, in the query or in the JSON body. */
  readonly name?: string;
  readonly in?: 'query' | 'json';
  /** `cursor` and `next`: where the answer has it. */
  readonly from?: string;
  /** The parameter that says how many come at once, and the most that the service gives. */
  readonly size?: { readonly name: string; readonly most: number };
  /** Where an answer has its list; the answer itself when absent. */
  readonly list?: string;
  /** The settings that ask for all, and for a number of them otherwise. */
  readonly all: { readonly setting: string; readonly or: boolean } | null;
  readonly limit: { readonly setting: string; readonly or: number };
}

/** What one operation of a node does. */
export interface Row extends ServiceRequest {
  /** Requests before it; their answers are `@before.0` and so on. */
  readonly before?: readonly ServiceRequest[];
  /** What the items are made of: one item of an object, one for each member of a list. */
  readonly answer?: Template;
  /** The answer is a file, under this name in the item. */
  readonly file?: Template;
  readonly paging?: Paging;
  /** What braces with `@` in the address name, made of settings. */
  readonly names?: Readonly<Record<string, Template>>;
  /** Settings for which the row is written with one value only. */
  readonly fixed?: Readonly<Record<string, string | boolean>>;
  /** Settings without which nothing is sent: what they narrow would otherwise be everything. */
  readonly needs?: readonly string[];
  /** Settings that change nothing here. */
  readonly ignores?: readonly string[];
}

/** Rows of which a setting chooses one. */
export interface RowChoice {
  readonly by: string;
  readonly or: string;
  readonly of: Readonly<Record<string, RowEntry>>;
}

export type RowEntry = Row | RowChoice;

/** An answer with a good status that tells a failure all the same. */
export interface InBandFailure {
  /** Where the answer tells it, and the value that stands for a failure. */
  readonly at: string;
  readonly is: Exclude<Template, object>;
}

/** What a vendor's node does, in some of its versions. */
export interface Service {
  /** The vendor as people call it. */
  readonly name: string;
  readonly type: string;
  readonly versions: readonly [lowest: number, highest: number];
  /** Begins every address; empty where each one has a server of its own, which its credential tells. */
  readonly server: string;
  /** By credential type, the usual one first; none: nothing is sent. */
  readonly auth: Readonly<Record<string, Auth>>;
  /** The setting that says which credential type it is. */
  readonly authBy?: {
    readonly setting: string;
    readonly or: string;
    readonly of: Readonly<Record<string, string>>;
  };
  readonly headers?: Template;
  readonly failure?: InBandFailure;
  /** Where an answer says what went wrong; the first that is there is told. */
  readonly message?: readonly string[];
  /** What an export leaves out; the operation by resource. A node without resources has none. */
  readonly resource?: string;
  readonly operation: string | Readonly<Record<string, string>>;
  /** Settings that change nothing here, whatever the operation. */
  readonly ignores?: readonly string[];
  /** By `resource/operation`, or by operation where there are no resources. */
  readonly rows: Readonly<Record<string, RowEntry>>;
}
