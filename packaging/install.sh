#!/bin/sh
# Installs units, users, limits and udev rules on the robot's computer; run it as root
# from the bundle at /opt/footlight. An existing table of adapters is kept.
#   DESTDIR  install below this folder instead, without reloading any service
set -eu
cd "$(dirname "$0")"
root="${DESTDIR:-}"

put() { install -D -m 644 "$1" "$root$2"; }

put systemd/footlight-core.service /etc/systemd/system/footlight-core.service
put systemd/footlight-doctor.service /etc/systemd/system/footlight-doctor.service
put systemd/footlight.sysusers /etc/sysusers.d/footlight.conf
put systemd/footlight.tmpfiles /etc/tmpfiles.d/footlight.conf
put systemd/footlight.limits /etc/security/limits.d/footlight.conf
put udev/71-footlight.rules /etc/udev/rules.d/71-footlight.rules
table=/etc/udev/rules.d/70-footlight-adapters.rules
[ -e "$root$table" ] || put udev/70-footlight-adapters.rules "$table"
mkdir -p "$root/usr/local/bin"
ln -sfn /opt/footlight/footlight "$root/usr/local/bin/footlight"

[ -z "$root" ] || exit 0
systemd-sysusers
systemd-tmpfiles --create /etc/tmpfiles.d/footlight.conf
udevadm control --reload
udevadm trigger --subsystem-match=tty --subsystem-match=usb-serial
systemctl daemon-reload
echo "installed; fill in $table, then: systemctl start footlight-doctor; journalctl -u footlight-doctor"
