# A bot in awk, as POSIX has it. One awk, mawk, fills its buffer before it looks at the first line,
# unless it is told not to.
case $(awk -W version 2>&1 </dev/null) in
mawk*) set -- -W interactive ;;
esac
LC_ALL=C # a character is a byte then, which gawk finds much faster
export LC_ALL
exec awk "$@" -f json.awk -f racer.awk
