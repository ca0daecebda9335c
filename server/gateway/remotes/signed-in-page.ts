import { GATEWAY_ERRORS, type GatewayErrorCode } from '../gateway-errors.ts';

/** What the browser shows when it came back from the provider. */
export function signedInPage(problem: GatewayErrorCode | undefined): string {
  const title = problem === undefined ? 'You are signed in' : 'You are not signed in';
  const text =
    problem === undefined
      ? 'Specwright goes on in its window. You can close this page.'
      : `${GATEWAY_ERRORS[problem].message} You can close this page.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Specwright: ${title.toLowerCase()}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { max-width: 38rem; padding: 2rem; }
</style>
</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}
