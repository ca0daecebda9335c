#!/bin/sh
# Run by dpkg (with remove, purge, upgrade, …) and by rpm (with the number of versions that are left).
# What people made stays, also at a purge: a package of the system has no business in home folders.
# SPECWRIGHT_PURGE_DATA=yes asks for it; then each person's data is deleted as that person.
set -e
profile='/etc/apparmor.d/${executable}'

remove_profile() {
  [ -f "$profile" ] || return 0
  if command -v apparmor_status >/dev/null 2>&1 && apparmor_status --enabled >/dev/null 2>&1; then
    apparmor_parser --remove "$profile" || true
  fi
  rm -f "$profile"
}

# Folders of the window and of the command line, with their defaults. Projects lie elsewhere.
kept='.config/Specwright .config/specwright .local/state/specwright .cache/Specwright'

purge_data() {
  getent passwd | while IFS=: read -r person _ id _ _ home _; do
    { [ "$id" -eq 0 ] || [ "$id" -ge 1000 ]; } && [ -d "$home" ] || continue
    for folder in $kept; do
      [ -d "$home/$folder" ] && [ ! -L "$home/$folder" ] || continue
      # As its owner, so that a link in a home folder leads nowhere that the owner could not delete.
      if runuser -u "$person" -- rm -rf -- "$home/$folder"; then
        echo "specwright: deleted $home/$folder"
      else
        echo "specwright: could not delete $home/$folder" >&2
      fi
    done
  done
}

case "${1-}" in
  remove | 0) remove_profile ;;
  purge)
    remove_profile
    if [ "${SPECWRIGHT_PURGE_DATA-}" = yes ]; then
      purge_data
    else
      echo "specwright: what people made stays, in these folders of their home folders: $kept"
    fi
    ;;
esac
exit 0
