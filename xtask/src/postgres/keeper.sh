# usage: sh keeper.sh BINARIES PORT [name=value]...
# Owns one throw-away PostgreSQL server and its folder. The settings are lines of postgresql.conf. Says "ready"
# once the server answers; stops it and removes the folder when standard input ends.
set -eu
binaries=$1 port=$2
shift 2

folder=$(mktemp -d "${TMPDIR:-/tmp}/tradepost-postgres.XXXXXX")
server=
take_away() {
  if [ -n "$server" ]; then
    kill -INT "$server" 2>/dev/null || :
    wait "$server" || :
  fi
  rm -rf "$folder"
}
trap take_away EXIT
trap 'exit 1' HUP INT TERM

# PostgreSQL refuses to run as root, and takes settings from the environment that we do not want.
as_owner="env -i PATH=$PATH LC_ALL=C.UTF-8"
if [ "$(id -u)" = 0 ]; then
  chown postgres "$folder"
  as_owner="setpriv --reuid=postgres --regid=postgres --init-groups $as_owner"
fi

give_up() {
  cat "$folder/log" >&2
  exit 1
}
$as_owner "$binaries/initdb" -D "$folder/data" -U app -A trust -E UTF8 --locale=C.UTF-8 >"$folder/log" 2>&1 || give_up
printf '%s\n' "listen_addresses='127.0.0.1'" "port=$port" "unix_socket_directories='$folder'" "$@" \
  >>"$folder/data/postgresql.conf"
$as_owner "$binaries/postgres" -D "$folder/data" >"$folder/log" 2>&1 &
server=$!

tries=0
until "$binaries/pg_isready" --quiet --host=127.0.0.1 --port="$port" --username=app --dbname=postgres; do
  tries=$((tries + 1))
  if [ "$tries" = 600 ] || ! kill -0 "$server" 2>/dev/null; then give_up; fi
  sleep 0.1
done
# With nobody left to hear it, `echo` has to fail, so that the trap on EXIT runs; the signal would end us without it.
trap '' PIPE
echo ready 2>/dev/null
cat >/dev/null
