// The few globals that both Node and the browser have. Pure rooms compile without DOM and Node types.
declare class TextEncoder {
  encode(input?: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array): string;
}
declare function structuredClone<T>(value: T): T;
