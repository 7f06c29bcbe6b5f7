#!/bin/sh
# Runs a command in a root file system that holds nothing but the base system and a bundle, both
# read-only, and without a network. The bundle is at another place than where it was built.
#   unshare --map-root-user --mount --net --pid --fork clean_root.sh ROOT BUNDLE BASE COMMAND...
# ROOT is an empty folder, BASE where Python's own library is.
set -eu
root="$1" bundle="$2" base="$3"
shift 3

mount -t tmpfs clean "$root"
visible() {
    mkdir -p "$root$2"
    mount --bind "$1" "$root$2"
    mount -o remount,bind,ro "$root$2" 2>/dev/null || mount -o remount,bind,ro,nosuid,nodev "$root$2"
}
visible /usr /usr
for name in bin sbin lib lib32 lib64; do
    [ ! -L "/$name" ] || ln -s "$(readlink "/$name")" "$root/$name"
    [ -L "/$name" ] || [ ! -d "/$name" ] || visible "/$name" "/$name"
done
case "$base" in /usr | /usr/*) ;; *) visible "$base" "$base" ;; esac
visible "$bundle" /opt/elsewhere
mkdir -p "$root/etc" "$root/dev" "$root/proc" "$root/tmp" "$root/sys" "$root/home/operator"
[ ! -e /etc/ld.so.cache ] || cp /etc/ld.so.cache "$root/etc/"
[ ! -d /etc/alternatives ] || cp -a /etc/alternatives "$root/etc/"
echo 'root:x:0:0:root:/home/operator:/bin/sh' >"$root/etc/passwd"
for name in null zero random urandom; do
    : >"$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
done
mkdir "$root/dev/shm"
mount -t tmpfs shm "$root/dev/shm"
mount -t proc proc "$root/proc"
ip link set lo up 2>/dev/null || true
cd "$root"
exec env -i HOME=/home/operator PATH=/usr/sbin:/usr/bin LANG=C.UTF-8 COLUMNS=160 \
    chroot "$root" /bin/sh -c 'cd /home/operator; exec "$@"' sh "$@"
