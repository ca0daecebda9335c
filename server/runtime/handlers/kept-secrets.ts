import { secretsOf } from '../../contract/credentials.ts';
import { StepFailure } from '../../handlers/handler.ts';
import type { HttpRequest } from '../../handlers/http-port.ts';
import type { HandlerPorts } from '../../handlers/ports.ts';
import { isObject, setOwn } from '../../kernel/json.ts';
import { REDACTED } from '../../kernel/redact.ts';
import { replaceEach } from '../../kernel/replace-each.ts';

/** Shorter texts stand everywhere; masking them would hide nothing and garble what is read. */
const SHORTEST = 4;
const SCHEME = /^(?:basic|bearer|token|apikey|api-key|key)$/i;

function formsOf(secret: string): string[] {
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const words = secret.split(/\s+/).filter((word) => !SCHEME.test(word));
  return [secret, form, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...words];
}

function bytesIn(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** What one time that a step runs does with credentials, so that nothing of them is kept. */
export class SecretWatch {
  readonly #forms = new Set<string>();

  #add(secrets: readonly string[]): void {
    for (const form of secrets.flatMap(formsOf)) if (form.length >= SHORTEST) this.#forms.add(form);
  }

  /** The same ports; what they give and send that is secret is remembered. */
  watched(ports: HandlerPorts): HandlerPorts {
    return {
      ...ports,
      credential: async (type, name) => {
        const credential = await ports.credential(type, name);
        if (credential !== null) this.#add(secretsOf(credential));
        return credential;
      },
      http: (request) => {
        this.#sent(request);
        return ports.http(request);
      },
    };
  }

  /** Tokens are asked for with a credential and are none themselves. */
  #sent({ guarded = [], headers }: HttpRequest): void {
    this.#add(guarded.map((name) => headers[name] ?? ''));
  }

  text(text: string): string {
    return replaceEach(text, [...this.#forms], REDACTED);
  }

  /** A value as it may be kept: plain data, and files in base64 by their bytes. */
  value<Value>(value: Value): Value {
    return this.#forms.size === 0 ? value : (this.#masked(value) as Value);
  }

  #masked(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#forms.has(String(value)) ? REDACTED : value;
    if (Array.isArray(value)) return value.map((item) => this.#masked(item));
    if (!isObject(value) || value instanceof Date) return value;
    const out: Record<string, unknown> = {};
    const isFile = typeof value['mimeType'] === 'string' && typeof value['data'] === 'string';
    for (const [key, item] of Object.entries(value)) {
      const kept = isFile && key === 'data' ? this.#file(String(item)) : this.#masked(item);
      setOwn(out, this.text(key), kept);
    }
    return out;
  }

  #file(base64: string): string {
    const bytes = Buffer.from(base64, 'base64').toString('latin1');
    const masked = replaceEach(bytes, [...this.#forms].map(bytesIn), REDACTED);
    if (masked !== bytes) return Buffer.from(masked, 'latin1').toString('base64');
    return this.text(base64);
  }

  /** A failure whose words hold nothing secret. */
  failure(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const message = this.text(error.message);
    return message === error.message ? error : new StepFailure(message);
  }
}
