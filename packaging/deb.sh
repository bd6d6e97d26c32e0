#!/bin/sh
# Builds a Debian package of what "make install" installs, in the folder that is the argument. VERSION is that of comus
# ("v1.2-3-gabc"), of which the package's is made ("1.2+3.gabc"); MAKE is the make to call, DEBFLAGS are flags of dpkg-deb.
set -eu
out=$(realpath "$1")
source=$(cd "$(dirname "$0")/.." && pwd)
for tool in dpkg-deb dpkg-shlibdeps dpkg-gencontrol strip; do
	command -v $tool >/dev/null || { echo "$tool is missing: apt-get install dpkg-dev binutils" >&2; exit 1; }
done
case $VERSION in
v[0-9]*) version=$(echo "${VERSION#v}" | sed 's/-/+/; s/-/./g') ;;
*) echo "VERSION is '$VERSION', and has to begin with v and a digit: make deb VERSION=v1.0" >&2; exit 1 ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/debian/comus
doc=$root/usr/share/doc/comus
${MAKE:-make} -s -C "$source" install DESTDIR="$root" PREFIX=/usr VERSION="$VERSION"
strip "$root/usr/bin/comus"
# Debian's place for zsh's functions.
mkdir -p "$root/usr/share/zsh/vendor-completions" "$doc" "$root/DEBIAN"
mv "$root/usr/share/zsh/site-functions/_comus" "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
gzip -9n "$root"/usr/share/man/man1/*.1

stamp=$(git -C "$source" log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH="$stamp"
who=$(sed -n 's/^Maintainer: //p' "$source/packaging/control")
printf 'comus (%s) unstable; urgency=medium\n\n  * Built from the source, %s.\n\n -- %s  %s\n' \
	"$version" "$VERSION" "$who" "$(date -u -R -d "@$stamp")" > "$work/debian/changelog"
gzip -9nc "$work/debian/changelog" > "$doc/changelog.gz"
cp -r "$source/docs" "$source/examples" "$doc/"
find "$doc" -name '*.go' -delete
find "$doc" -type d -empty -delete
cp "$source/README.md" "$doc/"
{
	printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n'
	printf 'Files: *\nCopyright: 2026 the authors of comus\nLicense: Apache-2.0\n'
	printf ' On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n'
} > "$doc/copyright"

cp "$source/packaging/control" "$work/debian/control"
cd "$work"
dpkg-shlibdeps -O debian/comus/usr/bin/comus 2>/dev/null > debian/substvars
dpkg-gencontrol -pcomus -Pdebian/comus -Tdebian/substvars -v"$version" >/dev/null
chmod -R u+w,go-w,a+rX debian/comus
(cd debian/comus && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
dpkg-deb ${DEBFLAGS:-} --root-owner-group --build debian/comus "$out"
