#!/bin/sh
# The first process of an emulated machine: runs the command that lies beside it in /job, says how it ended, and switches the machine off.
busybox mount -t proc -o nosuid,nodev,noexec proc /proc
busybox mount -t sysfs -o nosuid,nodev,noexec sysfs /sys
busybox mount -t securityfs -o nosuid,nodev,noexec securityfs /sys/kernel/security
mkdir -p /dev/pts /dev/shm
busybox mount -t devpts -o ptmxmode=0666 devpts /dev/pts
busybox mount -t tmpfs -o mode=1777 shm /dev/shm
busybox mount -t tmpfs -o mode=755 run /run
busybox ip link set lo up
hostname machine
for port in /sys/class/virtio-ports/*; do
  ln -s "/dev/${port##*/}" "/run/$(cat "$port/name")"
done
for name in fd stdin stdout stderr; do
  case $name in
  fd) ln -sf /proc/self/fd /dev/fd ;;
  stdin) ln -sf fd/0 /dev/stdin ;;
  stdout) ln -sf fd/1 /dev/stdout ;;
  stderr) ln -sf fd/2 /dev/stderr ;;
  esac
done
# Copied, not mounted: programs find the project on the root's own file system, as on any machine.
project=$(cat /job/project)
mkdir -p "$project"
cp -a /job/files/. "$project"
. /job/environment
as=$(cat /job/as)
mkdir -p "$HOME"
chown "$as" "$HOME"
cd "$project" || exit
setpriv --reuid "${as%:*}" --regid "${as#*:}" --clear-groups sh /job/command < /run/in > /run/out 2> /run/err
echo $? > /run/code
busybox poweroff -f
