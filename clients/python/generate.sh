#!/usr/bin/env bash
# Writes src/tradepost/_gen from the protos. With --check it compares and changes nothing.
#
# It needs npm and Python: buf comes from npm and protoc-gen-py from PyPI, in the versions named here, into a folder under target.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly BUF=1.75.0 PROTOC_GEN_PY=0.7.0
readonly TOOLS=${TRADEPOST_GENERATORS:-$PWD/../../target/python-generators}
readonly MADE=src/tradepost/_gen

install_tools() {
    mkdir -p "$TOOLS"
    if [[ ! -x "$TOOLS/venv/bin/protoc-gen-py" ]]; then
        python3 -m venv "$TOOLS/venv"
        "$TOOLS/venv/bin/pip" install --quiet --disable-pip-version-check "protoc-gen-py==$PROTOC_GEN_PY"
    fi
    if [[ ! -x "$TOOLS/node_modules/.bin/buf" ]]; then
        npm install --prefix "$TOOLS" --ignore-scripts --no-save --no-fund --no-audit --loglevel=error "@bufbuild/buf@$BUF"
    fi
}

generate() {
    PATH="$TOOLS/venv/bin:$TOOLS/node_modules/.bin:$PATH" buf generate --output "$1"
}

install_tools
case "${1:-}" in
"")
    generate .
    ;;
--check)
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    generate "$folder"
    if ! diff --recursive --brief --exclude=__pycache__ "$folder/$MADE" "$MADE"; then
        echo "the generated code is not what the protos make: run clients/python/generate.sh" >&2
        exit 1
    fi
    ;;
*)
    echo "usage: generate.sh [--check]" >&2
    exit 2
    ;;
esac
