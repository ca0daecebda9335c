// As far as handlers use it: its own types bring those of Node into a room that has none.
export class Parser {
  constructor(options: Readonly<Record<string, unknown>>);
  parseStringPromise(text: string): Promise<unknown>;
}
export class Builder {
  constructor(options: Readonly<Record<string, unknown>>);
  buildObject(value: object): string;
}
