/** The page for a browser that has no session: it says where the link is. */
export function signInPage(reason: 'no_session' | 'used_link'): string {
  const text =
    reason === 'used_link'
      ? 'This link has been used already, or belongs to an earlier start. Each link works once.'
      : 'This address needs the one-time link of this start.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Specwright: sign in</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 34rem; padding: 2rem; }
h1 { font-size: 1.25rem; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; }
</style>
</head>
<body>
<main>
<h1>Open Specwright with its link</h1>
<p>${text}</p>
<p>The program printed a fresh link where it was started. Open that one in this browser. If it is gone, start the program again.</p>
</main>
</body>
</html>
`;
}
