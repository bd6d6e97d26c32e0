#!/bin/sh
# Installs a package of comus in a Debian of its own, made by debootstrap, and verifies programs there: without a C
# compiler, and with what the package recommends. Root only; RELEASE is Debian's (bookworm), MIRROR where it comes from.
set -eu
deb=$(realpath "$1")
source=$(cd "$(dirname "$0")/.." && pwd)
command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 1; }
root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT
debootstrap --variant=minbase "${RELEASE:-bookworm}" "$root" ${MIRROR:-} > "$root.log" 2>&1 ||
	{ tail -n 5 "$root.log" >&2; exit 1; }
rm "$root.log"
cp "$deb" "$root/tmp/comus.deb"
for f in /etc/resolv.conf /etc/apt/apt.conf.d/*proxy*; do
	[ ! -e "$f" ] || cp "$f" "$root$f"
done
cp -r "$source/examples" "$root/tmp/examples"
mount -t proc proc "$root/proc"
chroot "$root" sh -eu <<'IN'
export DEBIAN_FRONTEND=noninteractive
cd /tmp
apt-get -q update > log 2>&1 || { tail -n 3 log; exit 1; }
apt-get install -y -q --no-install-recommends ./comus.deb > log 2>&1 || { tail -n 3 log; exit 1; }
verdict() { # EXPECTED COMMAND...
	want=$1; shift
	got=$("$@" | tail -n 1)
	echo "$*: $got"
	[ "$got" = "$want" ]
}
comus version
if command -v gcc; then exit 1; fi # what comes with comus is enough
verdict SAFE comus examples/peterson.c
verdict UNSAFE comus examples/counter_race.c
verdict SAFE comus --strategy modular --certificate p.json examples/peterson.c
verdict SAFE comus check examples/peterson.c p.json
apt-get install -y -q gcc libc6-dev make > log 2>&1 || { tail -n 3 log; exit 1; }
verdict UNSAFE comus --certificate x.json examples/dekker_broken.c
comus replay examples/dekker_broken.c --witness x.json -o out
make -s -C out
out/replay || echo "the replayed program ends with $?"
apt-get remove -y -q comus > log 2>&1
[ -z "$(find /usr -name '*comus*')" ] || { echo "left behind:"; find /usr -name '*comus*'; exit 1; }
IN
echo "$(basename "$deb") installs, runs and is removed in a new Debian"
