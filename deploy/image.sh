#!/bin/sh
# Builds the image by Buildah (as root, or within `buildah unshare`), tries what is in it, and writes it, its digest and its
# parts (CycloneDX) into a folder:
#   deploy/image.sh NAME:TAG [FOLDER]
# $BASE is another base image than the Dockerfile's, where that can't be had; $BUILD has further options of `buildah build`.
set -eu
cd "$(dirname "$0")/.."
name=$1
folder=${2:-.}
mkdir -p "$folder"

# shellcheck disable=SC2086 # several options
sed "${BASE:+s|^FROM node:[^ ]*|FROM $BASE|}" Dockerfile | buildah build --quiet ${BUILD:-} --tag "$name" --file - .

container=$(buildah from --pull-never "$name")
trap 'buildah rm "$container" > /dev/null' EXIT
root=$(buildah mount "$container")
fail() {
  echo "$name: $1" >&2
  exit 1
}

# As Kubernetes runs it: any user, nothing to write to but /tmp, no variable but those that are given.
run() {
  unshare --mount --pid --fork sh -euc '
    root=$1
    shift
    mount --bind "$root" "$root"
    mount -o remount,bind,ro "$root"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/tmp"
    mount --bind /dev "$root/dev"
    exec chroot --userspec=123456:123456 "$root" env -i HOME=/ PATH=/usr/local/bin:/usr/bin:/bin NODE_ENV=production \
      sh -c "cd /app && exec node \"\$@\"" sh "$@"
  ' sh "$root" "$@" 2>&1
}
for process in api worker operator-api migrate promote; do
  says=$(run "src/main/$process.ts") && fail "$process starts without settings"
  echo "$says" | grep -q '"faults":\[".*: is missing"' || fail "$process does not start: $says"
done
for command in operator provider-check; do
  says=$(run "src/main/$command.ts" --help) || fail "$command does not start: $says"
done

[ -z "$(find "$root/app" ! -type l \( ! -uid 0 -o -perm /022 \))" ] || fail 'somebody but root may write to its code'
! grep -q '"dev": true' "$root/app/node_modules/.package-lock.json" || fail 'a package of development is in it'
for none in .env .npmrc .git secrets dev test; do
  [ ! -e "$root/app/$none" ] || fail "$none is in it"
done
[ ! -s "$root/root/.npmrc" ] || fail 'the registry’s credentials are in it'
buildah inspect --format '{{.OCIv1.Config.User}}' "$container" | grep -Eq '^[1-9][0-9]*(:|$)' || fail 'its user is no number'

buildah push --quiet --digestfile "$folder/image.digest" "$name" "oci-archive:$folder/image.tar:$name"
npm sbom --package-lock-only --sbom-format cyclonedx --omit dev > "$folder/image.cdx.json"
echo "$name: $(cat "$folder/image.digest"), $(du -sm "$root" | cut -f1) MB, of which /app $(du -sm "$root/app" | cut -f1) MB"
