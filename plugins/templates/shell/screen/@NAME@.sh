#!/bin/sh
# @TITLE@: a screen: it shows incoming calls as lines of its log.
# The broker opens its session, as its manifest says. One JSON text per line, both ways.
trap exit TERM
answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
while IFS= read -r line; do                   # requests only; ui.dismiss and events are skipped
  case $line in '{"jsonrpc":"2.0","id":'*'"method":'*) id=${line#*'"id":'}; id=${id%%,*} ;; *) continue ;; esac
  case $line in
    *'"method":"ui.present"'*) echo "a call rings" >&2; answer '"result":{"presented":true}' ;;
    *) answer '"error":{"code":-32601,"message":"not supported"}' ;;
  esac
done
