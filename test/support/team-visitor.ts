// Somebody at the door of a team's workbench.

/** A browser: it keeps cookies by name and says where its page is from. */
export class Visitor {
  readonly jar = new Map<string, string>();
  readonly origin: string;
  readonly more: Readonly<Record<string, string>>;

  constructor(origin: string, more: Readonly<Record<string, string>> = {}) {
    this.origin = origin;
    this.more = more;
  }

  async ask(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(url, this.origin), {
      method,
      redirect: 'manual',
      headers: {
        ...this.more,
        ...(cookie === '' ? {} : { cookie }),
        ...(method === 'GET' ? {} : { origin: this.origin }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const given = answer.headers.getSetCookie();
    for (const text of given) {
      const [pair = ''] = text.split(';');
      const [name = '', value = ''] = pair.split('=', 2);
      if (/max-age=0/i.test(text)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
    const text = await answer.text();
    const read: unknown = text.startsWith('{') ? JSON.parse(text) : {};
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      given,
      text,
      // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
      body: read as any,
    };
  }

  /** A page that the person opens. */
  open(url: string) {
    return this.ask('GET', url, undefined, { accept: 'text/html' });
  }

  login(username: string, password: string) {
    return this.ask('POST', '/studio/api/session', { username, password });
  }
}

/** Status and code of a refusal. */
export const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
];
