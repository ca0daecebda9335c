#!/bin/sh
# Opens the window, or runs a command without a display, on what lies beside this file. Without
# words, with a file, a folder or a specwright:// address, or with a switch of the window, it is the
# window; any other word is for the command line, which says what it does not know.
set -u
here=$(dirname "$(readlink -f "$0")")

# A folder of a tar.gz updates itself: later versions lie in it whole, and a file names the one to start.
if [ -r "$here/current" ]; then
  next=$(cat "$here/current")
  case "$next" in
    '' | .* | *[!0-9A-Za-z.+-]*) ;;
    *) [ -x "$here/.versions/$next/specwright" ] && exec "$here/.versions/$next/specwright" "$@" ;;
  esac
fi

window="$here/@WINDOW@"
resources="$here/@RESOURCES@"

command_line() {
  exec "$resources/node/node" "$resources/app.asar.unpacked/out/main/server.mjs" "$@"
}

# An AppImage puts this in front of all words where the kernel offers no sandbox.
sandbox=
if [ "${1-}" = --no-sandbox ]; then
  sandbox=$1
  shift
fi

case "${1-}" in
  -h | --help | -V | --version | @COMMANDS@) command_line "$@" ;;
  '' | -* | [Ss][Pp][Ee][Cc][Ww][Rr][Ii][Gg][Hh][Tt]:* | [Ff][Ii][Ll][Ee]:*) ;;
  *) [ -e "$1" ] || command_line "$@" ;;
esac

exec "$window" ${sandbox:+"$sandbox"} "$@"
