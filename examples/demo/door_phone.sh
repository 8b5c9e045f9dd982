#!/bin/sh
# The telephone at the door, in shell: one visitor at a time, who rings with a line on standard
# input: CALL NAME. Each action that it performs is a line on its standard output.
# Run it beside a broker: BROKER_SOCKET=... ./door_phone.sh
set -eu
pipes=$(mktemp -d)
trap 'rm -rf "$pipes"; kill 0' EXIT
mkfifo "$pipes/to" "$pipes/from"
nc -U "$BROKER_SOCKET" <"$pipes/to" >"$pipes/from" &
exec 3>"$pipes/to" 4<"$pipes/from"
say() { printf '{"jsonrpc":"2.0",%s}\n' "$1" >&3; }

say '"id":1,"method":"broker.hello","params":{"protocol":{"min":1,"max":1},"roles":["provider"],"identity":"org.example.door","client":{"name":"door_phone.sh","version":"1"}}'
say '"id":2,"method":"provider.register","params":{"display_name":"Door","handle_types":["generic"]}'
exec 5<&0                                       # what runs in the background has no input of its own
while read -r call name; do
    say '"id":"'"$call"'","method":"call.report_incoming","params":{"call":"'"$call"'","remote":{"type":"generic","value":"'"$name"'"}}'
done <&5 &

while IFS= read -r line <&4; do                 # requests only; replies and events are skipped
    case $line in '{"jsonrpc":"2.0","id":'*'"method":'*) id=${line#*'"id":'}; id=${id%%,*} ;; *) continue ;; esac
    case $line in
        *'"kind":"answer"'*) did=answer ;;
        *'"kind":"end"'*) did=end ;;
        *'"kind":"set_held"'*'"held":true'*) did=hold ;;
        *'"kind":"set_held"'*) did=resume ;;
        *) say '"id":'"$id"',"error":{"code":-32601,"message":"not supported"}'; continue ;;
    esac
    call=${line#*'"call":"'}
    echo "door $did ${call%%\"*}"
    say '"id":'"$id"',"result":{}'
done
