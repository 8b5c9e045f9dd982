#!/bin/sh
# Tries every promise of a provider; `./check.sh --only NAME` one of them, `--list` shows their names.
exec "${CALLBROKER:-callbroker}" plugin check "$(dirname "$0")" "$@"
