// Which names of JavaScript an expression of the source can use.

/** They stand for what they are. */
export const OPEN_NAMES: ReadonlySet<string> = new Set([
  ...['Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView'],
  ...['Date', 'Error', 'EvalError', 'Float32Array', 'Float64Array', 'Infinity', 'Int16Array'],
  ...['Int32Array', 'Int8Array', 'Intl', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object'],
  ...['RangeError', 'ReferenceError', 'RegExp', 'Set', 'String', 'Symbol', 'SyntaxError'],
  ...['TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array', 'Uint8ClampedArray'],
  ...['WeakMap', 'WeakSet', 'arguments', 'decodeURI', 'decodeURIComponent', 'encodeURI'],
  ...['encodeURIComponent', 'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'undefined'],
]);

/** They are there, and there is nothing in them. */
export const EMPTY_NAMES: ReadonlySet<string> = new Set([
  ...['Buffer', 'Function', 'Promise', 'Proxy', 'Reflect', 'WebAssembly', 'XMLHttpRequest'],
  ...['alert', 'clearInterval', 'clearTimeout', 'confirm', 'document', 'eval', 'fetch', 'global'],
  ...[
    'globalThis',
    'module',
    'process',
    'prompt',
    'require',
    'setInterval',
    'setTimeout',
    'uneval',
  ],
]);

/** Using one is an error of JavaScript. */
export const MISSING_NAMES: ReadonlySet<string> = new Set(['window', 'self', 'top', 'parent']);

/** No access of that name is evaluated. */
export const REFUSED_MEMBERS: ReadonlySet<string> = new Set([
  ...['__proto__', 'prototype', 'getPrototypeOf', 'setPrototypeOf', '__defineGetter__'],
  ...['__defineSetter__', '__lookupGetter__', '__lookupSetter__', 'getOwnPropertyDescriptor'],
  ...['getOwnPropertyDescriptors', 'defineProperty', 'defineProperties'],
]);

/** Methods that change what they are called on or given. */
export const CHANGING_MEMBERS: ReadonlySet<string> = new Set([
  ...['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin'],
  ...['assign', 'call', 'apply', 'bind'],
]);
