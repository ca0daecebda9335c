// npm run package [-- options]: packs the program, and makes of it every package that this machine
// can; says in one line each what it made, or cannot make and why. Options:
//   --only NAMES           of dir, deb, rpm, AppImage, tar.gz, windows, macos; with commas
//   --output FOLDER        instead of release/
//   --set-version VERSION  instead of the one in package.json, to try an upgrade
//   --fast                 compresses little: for tests, not held to the budgets
//   --update-url URL       where this build looks for updates, instead of the place in package.json
//   --update-key FILE      the secret key that signs the feed (else SPECWRIGHT_UPDATE_KEY); with
//                          --update-url its public half is what this build believes: for tests
//   --check-reproducible   makes the packages twice, elsewhere and differently, and compares them
import { ensureNodeModules } from './toolchain.mjs';

// What makes them imports packages, which a fresh checkout does not have yet.
ensureNodeModules();
const { runPackaging } = await import('./packaging/make-packages.mjs');
await runPackaging(process.argv.slice(2));
