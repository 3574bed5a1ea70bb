#!/bin/sh
# The initial program of an emulated machine: loads the drivers of the emulator's devices and goes on with the real root and its job.
busybox mount -t devtmpfs dev /dev
for module in /modules/*.ko; do busybox insmod "$module"; done
for _ in 1 2 3 4 5 6 7 8 9 10; do
  [ -e /dev/vdb ] && break
  busybox sleep 0.5
done
busybox mount -t ext4 /dev/vda /root || busybox poweroff -f
busybox mount -t ext4 /dev/vdb /root/job || busybox poweroff -f
busybox mount --move /dev /root/dev
exec busybox switch_root /root /job/start
