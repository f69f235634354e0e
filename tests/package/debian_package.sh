#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# debian_package.sh BUILD INSTALLED PLACE: makes the Debian package in PLACE, and unpacks it there. The package must have
# the files of the installation in INSTALLED, and its command and Python module must run. clean_root.sh installs it.
set -euo pipefail
build=$1 installed=$2 place=$3
rm -rf "$place"
mkdir -p "$place"
cd "$build"
cpack -G DEB -B "$place" -D CPACK_DEBIAN_COMPRESSION_TYPE=none >"$place/log" || { cat "$place/log"; exit 1; }
deb=$(echo "$place"/weft_*.deb)
rm -rf "$place/_CPack_Packages"

for field in 'Depends: .*libsystemc' 'Depends: .*libfmt' 'Recommends: .*libsystemc-dev' 'Maintainer: ' 'Section: '; do
  dpkg-deb --field "$deb" | grep -q "^$field" || { echo "no $field in the fields of $deb"; exit 1; }
done
dpkg-deb -x "$deb" "$place/root"
diff <(cd "$installed" && find . -type f | sort) <(cd "$place/root/usr" && find . -type f | sort)

"$place/root/usr/bin/weft" run "$place/root/usr/share/weft/examples/quickstart.yaml" -o "$place/results" \
  --set simulation.measure=1000 --set simulation.level=engine
if [ -d "$place/root/usr/lib/python3/dist-packages/weft" ]; then
  PYTHONPATH=$place/root/usr/lib/python3/dist-packages /usr/bin/python3 -c 'import weft; assert weft.run'
fi
rm -rf "$place/root"
