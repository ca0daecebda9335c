/** Why a browser is shown the page instead of the workbench. */
export type SignInReason = 'no_session' | 'session_over' | 'used_link';

const TEXTS: Readonly<Record<SignInReason, string>> = {
  no_session: 'This address needs a one-time link.',
  session_over: 'The session of this browser has ended. A new one-time link opens the next.',
  used_link:
    'This link has been used already, is too old, or belongs to an earlier start. Each one-time link works once.',
};

/** The page for a browser that has no session: it says where the link is. */
export function signInPage(reason: SignInReason): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Specwright: sign in</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 38rem; padding: 2rem; }
h1 { font-size: 1.25rem; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; }
code { font: .9em ui-monospace, monospace; padding: .1em .35em; border: 1px solid GrayText; border-radius: .25em; white-space: nowrap; }
</style>
</head>
<body>
<main>
<h1>Open Specwright with its link</h1>
<p>${TEXTS[reason]}</p>
<p>The program printed one where it was started. For a fresh one run <code>specwright link</code> on that computer (in a checkout <code>npm run -s specwright -- link</code>) and open it in this browser.</p>
</main>
</body>
</html>
`;
}
