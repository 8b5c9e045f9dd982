#!/bin/sh
# @TITLE@: a provider of calls. Somebody rings by writing a name to $XDG_RUNTIME_DIR/@NAME@.fifo.
fifo=${XDG_RUNTIME_DIR:-/tmp}/@NAME@.fifo
[ -p "$fifo" ] || mkfifo -m 600 "$fifo" || exit 1
say() { printf '{"jsonrpc":"2.0",%s}\n' "$1"; }
ring() { while read -r who; do                # one line for each press of the button
  who=$(printf %.60s "$who" | tr -cd '[:alnum:] .+-')
  u=$(cat /proc/sys/kernel/random/uuid)
  say '"id":"'"$u"'","method":"call.report_incoming","params":{"call":"'"$u"'","supports_holding":false,"remote":{"type":"generic","value":"'"$who"'"}}'
done <>"$fifo"; }
ring & trap 'kill $!' EXIT; trap exit TERM
while IFS= read -r line; do                   # requests only; replies and events are skipped
  case $line in '{"jsonrpc":"2.0","id":'*'"method":'*) id=${line#*'"id":'}; id=${id%%,*} ;; *) continue ;; esac
  case $line in
    *'"kind":"answer"'*|*'"kind":"end"'*) say '"id":'"$id"',"result":{}' ;;
    *) say '"id":'"$id"',"error":{"code":-32601,"message":"not supported"}' ;;
  esac
done
