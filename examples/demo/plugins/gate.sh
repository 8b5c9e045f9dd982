#!/bin/sh
# The intercom at the gate, in shell, as a plugin: the broker starts it, and reads what it says on
# standard output. Whoever is called there answers at once.
say() { printf '{"jsonrpc":"2.0",%s}\n' "$1"; }
while IFS= read -r line; do                     # requests only; replies and events are skipped
    case $line in '{"jsonrpc":"2.0","id":'*'"method":'*) ;; *) continue ;; esac
    id=${line#*'"id":'}; id=${id%%,*}
    case $line in
        *'"kind":"start"'*)
            call=${line#*'"call":"'}
            say '"id":'"$id"',"result":{}'
            say '"id":1,"method":"call.report_connected","params":{"call":"'"${call%%\"*}"'"}' ;;
        *'"kind":"end"'*) say '"id":'"$id"',"result":{}' ;;
        *) say '"id":'"$id"',"error":{"code":-32601,"message":"not supported"}' ;;
    esac
done
