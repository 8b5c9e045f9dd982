#!/bin/sh
# manifest: "transport":"stdio", "handshake":"implicit", "env_pass":["DOORBELL_FIFO"], "provider":{"handle_types":["generic"]}
say() { printf '{"jsonrpc":"2.0",%s}\n' "$1"; }
ring() { while read -r who; do                                     # one line per press of the button
  u=$(cat /proc/sys/kernel/random/uuid)
  say '"id":"'"$u"'","method":"call.report_incoming","params":{"call":"'"$u"'","supports_holding":false,"remote":{"type":"generic","value":"'"$who"'"}}'
done <> "$DOORBELL_FIFO"; }
ring & trap 'kill $!' EXIT; trap exit TERM
while IFS= read -r line; do                                        # requests only; replies and events are skipped
  case $line in '{"jsonrpc":"2.0","id":'*'"method":'*) id=${line#*'"id":'}; id=${id%%,*} ;; *) continue ;; esac
  case $line in
    *'"kind":"answer"'*|*'"kind":"end"'*) say '"id":'"$id"',"result":{}' ;;
    *) say '"id":'"$id"',"error":{"code":-32601,"message":"not supported"}' ;;
  esac
done
