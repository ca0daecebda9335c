#!/bin/sh
# Run by dpkg and rpm when the files are in place. The command itself, the desktop entry and the
# icons are files of the package; the system's own triggers read them.
set -e
folder='/opt/${sanitizedProductName}'

# Chromium's sandbox needs user namespaces, and where there are none a helper that is root's.
if [ -L /proc/self/ns/user ] && unshare --user true 2>/dev/null; then
  chmod 0755 "$folder/chrome-sandbox"
else
  chmod 4755 "$folder/chrome-sandbox"
fi

# Ubuntu 24.04 and later forbid user namespaces to programs without a profile.
source="$folder/resources/apparmor-profile"
target='/etc/apparmor.d/${executable}'
if [ -d /etc/apparmor.d ] && command -v apparmor_parser >/dev/null 2>&1 &&
  apparmor_parser --skip-kernel-load --skip-cache "$source" >/dev/null 2>&1; then
  cp -f "$source" "$target"
  if apparmor_status --enabled >/dev/null 2>&1; then
    apparmor_parser --replace --write-cache --skip-read-cache "$target" || true
  fi
fi
exit 0
