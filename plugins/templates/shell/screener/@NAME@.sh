#!/bin/sh
# @TITLE@: a screener: it blocks callers without a number.
# The broker opens its session, as its manifest says. One JSON text per line, both ways.
trap exit TERM
answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
while IFS= read -r line; do                   # requests only; replies and events are skipped
  case $line in '{"jsonrpc":"2.0","id":'*'"method":'*) id=${line#*'"id":'}; id=${id%%,*} ;; *) continue ;; esac
  case $line in
    *'"method":"screener.check"'*'"remote":null'*) answer '"result":{"verdict":"block"}' ;;
    *'"method":"screener.check"'*) answer '"result":{"verdict":"continue"}' ;;   # or allow, silence
    *) answer '"error":{"code":-32601,"message":"not supported"}' ;;
  esac
done
