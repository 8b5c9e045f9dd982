#!/bin/sh
# The telephone at the door, in shell: one visitor at a time, who rings with a line on standard
# input: CALL NAME. Each action that it performs is a line on its standard output. When the broker is
# away it connects again, goes on with its session, and names the call that it has.
# Run it beside a broker: BROKER_SOCKET=... ./door_phone.sh
set -eu
pipes=$(mktemp -d)
trap 'rm -rf "$pipes"; kill 0' EXIT
resume= state=
say() { printf '{"jsonrpc":"2.0",%s}\n' "$1" >"$pipes/to"; }

connect() {                                     # new pipes: nothing of the last session is in them
    rm -f "$pipes/to" "$pipes/from"
    mkfifo "$pipes/to" "$pipes/from"
    nc -U "$BROKER_SOCKET" <"$pipes/to" >"$pipes/from" 2>/dev/null &
    exec 3<>"$pipes/to" 4<"$pipes/from"         # 3 keeps the pipe open while nobody says anything
    live=
    if [ "$state" ]; then
        read -r call name <"$pipes/visitor"
        live='{"call":"'"$call"'","direction":"incoming","state":"'"$state"'","remote":{"type":"generic","value":"'"$name"'"}}'
    fi
    say '"id":1,"method":"broker.hello","params":{"protocol":{"min":1,"max":1},"roles":["provider"],"identity":"org.example.door","client":{"name":"door_phone.sh","version":"1"}'"$resume"'}'
    say '"id":2,"method":"provider.register","params":{"display_name":"Door","handle_types":["generic"],"calls":['"$live"']}'
}

answer() {                                      # a request of the broker
    id=${1#*'"id":'}; id=${id%%,*}
    case $1 in
        *'"kind":"answer"'*) did=answer state=active ;;
        *'"kind":"end"'*) did=end state= ;;
        *'"kind":"set_held"'*'"held":true'*) did=hold state=held ;;
        *'"kind":"set_held"'*) did=resume state=active ;;
        *) say '"id":'"$id"',"error":{"code":-32601,"message":"not supported"}'; return ;;
    esac
    call=${1#*'"call":"'}
    echo "door $did ${call%%\"*}"
    say '"id":'"$id"',"result":{}'
}

exec 5<&0                                       # what runs in the background has no input of its own
while read -r call name; do
    echo "$call $name" >"$pipes/visitor"
    say '"id":"'"$call"'","method":"call.report_incoming","params":{"call":"'"$call"'","remote":{"type":"generic","value":"'"$name"'"}}'
done <&5 &

while :; do
    connect
    while IFS= read -r line <&4; do             # until the end of the stream
        case $line in
            '{"jsonrpc":"2.0","id":1,"result"'*'"session":{'*)
                key=${line#*'"session":{'}
                resume=',"resume":{'${key%%,\"resumed*}'}' ;;
            '{"jsonrpc":"2.0","id":2,"result"'*'"dropped":["'*) state= ;;
            '{"jsonrpc":"2.0","method":"provider.reset"'*) state= ;;
            '{"jsonrpc":"2.0","id":"'*'"result"'*) state=ringing ;;
            '{"jsonrpc":"2.0","id":'*'"method":'*) answer "$line" ;;
        esac
    done
    exec 3>&- 4<&-
    sleep 0.2
done
