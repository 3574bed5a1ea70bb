"""attack.py NAME: what a program in Python could try. Every target is in the environment, and is a canary."""
import ctypes
import fcntl
import mmap
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time

env = os.environ
victim, second, outside, home, view = (env[name] for name in ("VICTIM", "SECOND_VICTIM", "OUTSIDE", "HOME", "VIEW"))
pid = int(env["PID"])
libc = ctypes.CDLL(None, use_errno=True)
numbers = {"x86_64": {"process_vm_writev": 311, "keyctl": 250, "pidfd_open": 434, "pidfd_getfd": 438, "pidfd_send_signal": 424,
                      "io_uring_setup": 425, "openat2": 437, "unshare": 272, "setns": 308, "bpf": 321, "memfd_create": 319,
                      "open_tree": 428, "name_to_handle_at": 303, "userfaultfd": 323, "ptrace": 101, "kcmp": 312,
                      "ioprio_set": 251, "renameat2": 316, "faccessat2": 439, "close_range": 436, "landlock": 444},
           "aarch64": {"process_vm_writev": 271, "keyctl": 219, "pidfd_open": 434, "pidfd_getfd": 438, "pidfd_send_signal": 424,
                       "io_uring_setup": 425, "openat2": 437, "unshare": 97, "setns": 268, "bpf": 280, "memfd_create": 279,
                       "open_tree": 428, "name_to_handle_at": 264, "userfaultfd": 282, "ptrace": 117, "kcmp": 272,
                       "ioprio_set": 30, "renameat2": 276, "faccessat2": 439, "close_range": 436, "landlock": 444}}[os.uname().machine]


def call(name, *arguments):
    libc.syscall.restype = ctypes.c_long
    result = libc.syscall(ctypes.c_long(numbers[name]), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def write(path, text="changed\n", how="w"):
    with open(path, how) as file:
        file.write(text)


def reopened():
    fd = os.open(victim, os.O_RDONLY)
    write(f"/proc/self/fd/{fd}")


def by_handle_of_folder():
    folder = os.open(outside, os.O_RDONLY | os.O_DIRECTORY)
    os.close(os.open("handled", os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=folder))
    os.fchdir(folder)
    write("victim")


def unnamed():
    fd = os.open(outside, os.O_TMPFILE | os.O_RDWR, 0o644)
    os.write(fd, b"x")
    libc.linkat(-100, f"/proc/self/fd/{fd}".encode(), -100, f"{outside}/unnamed".encode(), 0x400)


def mapped():
    with open(victim, "r+b") as file:
        memory = mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED)
        memory[0:4] = b"hit!"
        memory.flush()


def linked():
    os.link(victim, f"{outside}/link")
    write(f"{outside}/link")


def soft():
    os.symlink(victim, f"{view}/soft")
    write(f"{view}/soft")


def race():
    link, other = f"{view}/race", f"{view}/race2"
    write(f"{view}/own")
    stop = time.monotonic() + 0.4

    def turn():
        while time.monotonic() < stop:
            for target in (f"{view}/own", victim):
                try:
                    os.symlink(target, other)
                    os.rename(other, link)
                except OSError:
                    pass

    threading.Thread(target=turn).start()
    while time.monotonic() < stop:
        try:
            write(link)
        except OSError:
            pass


def copied(how):
    write(f"{view}/own")
    source, target = os.open(f"{view}/own", os.O_RDONLY), os.open(victim, os.O_WRONLY)
    if how == "range":
        os.copy_file_range(source, target, 8)
    elif how == "sendfile":
        os.sendfile(target, source, 0, 8)
    else:
        ends = os.pipe()
        os.write(ends[1], b"spliced")
        os.splice(ends[0], target, 7)


def connect(family, kind, address, text=b"x"):
    with socket.socket(family, kind) as one:
        one.settimeout(2)
        if kind == socket.SOCK_DGRAM:
            one.sendto(text, address)
        else:
            one.connect(address)
            one.send(text)
    time.sleep(0.02)


def passed():
    """A descriptor of the victim through a socket pair, opened for writing by somebody else."""
    ends = socket.socketpair()
    if os.fork() == 0:
        socket.send_fds(ends[0], [b"x"], [os.open(victim, os.O_WRONLY)])
        os._exit(0)
    _, fds, _, _ = socket.recv_fds(ends[1], 1, 1)
    os.write(fds[0], b"passed")
    os.wait()


def memory():
    with open(f"/proc/{pid}/mem", "r+b", buffering=0) as file:
        file.seek(int(env["ADDR"]))
        file.write(b"hit in memory\0")


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def written():
    text = ctypes.create_string_buffer(b"hit in memory")
    mine, theirs = Piece(ctypes.addressof(text), 14), Piece(int(env["ADDR"]), 14)
    call("process_vm_writev", pid, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0)


def traced():
    call("ptrace", 0x4206, pid, 0, 0)
    print("HIT ptrace")


def stolen():
    fd = call("pidfd_getfd", call("pidfd_open", pid, 0), int(env["PIPE_FD"]), 0)
    os.read(fd, 4)


def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(0.3)
            write(victim)
            connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(env["TCP_PORT"])))
        os._exit(0)
    os.wait()
    time.sleep(0.6)


def ring():
    parameters = ctypes.create_string_buffer(120)
    os.close(call("io_uring_setup", 4, parameters))
    print("HIT io_uring")


def cpus():
    os.sched_setaffinity(pid, {0})
    os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0))


def terminal(request, text=b"x"):
    fd = os.open(env["PTY"], os.O_RDWR | os.O_NOCTTY)
    if request == "write":
        os.write(fd, text)
    elif request == "size":
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 3, 4, 0, 0))
    elif request == "settings":
        settings = termios.tcgetattr(fd)
        settings[3] ^= termios.ECHO
        termios.tcsetattr(fd, termios.TCSANOW, settings)
    else:
        fcntl.ioctl(fd, termios.TIOCSTI, text)


def key():
    if call("keyctl", 2, int(env["KEY"]), ctypes.c_char_p(b"hit"), 3) >= 0:
        print("HIT keyctl")


def descriptors():
    for fd in range(3, 256):
        try:
            os.fstat(fd)
            os.write(fd, b"hit")
            print("HIT descriptor", fd)
        except OSError:
            pass


def namespaces():
    for flag in (0x10000000, 0x00020000, 0x40000000, 0x20000000, 0x08000000):
        try:
            call("unshare", flag)
            print("HIT unshare", hex(flag))
        except OSError:
            pass


def joined():
    for kind in ("user", "mnt", "net", "pid", "ipc"):
        try:
            call("setns", os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY), 0)
            print("HIT setns", kind)
        except OSError:
            pass


def mounts():
    for arguments in ((b"none", b"/mnt", b"tmpfs", 0, None), (b"/", b"/mnt", None, 4096, None), (None, b"/", None, 0x4000, None)):
        if libc.mount(*arguments) == 0:
            print("HIT mount")


def attribute():
    os.setxattr(victim, "user.hit", b"x")


def shared():
    write(f"/dev/shm{env['IPC_NAME']}", "hit in memory", "r+")


def started(*words):
    subprocess.run(words, check=True)


def roots():
    for path in (f"/proc/{pid}/root{victim}", f"/proc/{pid}/cwd/victim", "/proc/1/root" + victim, "/proc/self/root" + victim):
        try:
            write(path)
        except OSError:
            pass


attacks = {
    "overwrite": lambda: write(victim), "append": lambda: write(victim, how="a"), "truncate": lambda: os.truncate(victim, 0),
    "mode": lambda: os.chmod(victim, 0o600), "setuid": lambda: os.chmod(victim, 0o4777), "times": lambda: os.utime(victim, (1, 1)),
    "unlink": lambda: os.unlink(victim), "rename": lambda: os.rename(victim, second), "make": lambda: write(f"{outside}/new"),
    "folder": lambda: os.mkdir(f"{outside}/folder"), "symlink": lambda: os.symlink("x", f"{outside}/soft"), "fifo": lambda: os.mkfifo(f"{outside}/pipe"),
    "linked": linked, "soft": soft, "race": race, "reopened": reopened, "folderDescriptor": by_handle_of_folder, "unnamed": unnamed,
    "mapped": mapped, "range": lambda: copied("range"), "sendfile": lambda: copied("sendfile"), "splice": lambda: copied("splice"),
    "passed": passed, "attribute": attribute, "roots": roots, "home": lambda: write(f"{home}/.bashrc", "echo hit\n", "a"),
    "keys": lambda: write(f"{home}/.ssh/authorized_keys"), "repository": lambda: write(f"{view}/.git/hooks/post-checkout"),
    "workspace": lambda: os.unlink(f"{view}/precious"), "memory": memory, "written": written, "traced": traced, "stolen": stolen,
    "signal": lambda: os.kill(pid, signal.SIGUSR1), "queued": lambda: call("pidfd_send_signal", call("pidfd_open", pid, 0), 10, None, 0),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, pid, 5), "cpus": cpus, "limits": lambda: resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0)),
    "oom": lambda: write(f"/proc/{pid}/oom_score_adj", "700"), "ioPriority": lambda: call("ioprio_set", 1, pid, 3 << 13),
    "name": lambda: write(f"/proc/{pid}/coredump_filter", "0x7"), "daemon": daemon, "waiting": lambda: write(f"{outside}/fifo"),
    "tcp": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(env["TCP_PORT"]))),
    "tcp6": lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, ("::1", int(env["TCP6_PORT"]))),
    "udp": lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int(env["UDP_PORT"]))),
    "unix": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, f"{outside}/listen.sock"),
    "abstract": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + env["ABSTRACT"]),
    "datagram": lambda: connect(socket.AF_UNIX, socket.SOCK_DGRAM, f"{outside}/datagram.sock"),
    "terminalText": lambda: terminal("write"), "terminalSize": lambda: terminal("size"), "terminalSettings": lambda: terminal("settings"),
    "terminalTyped": lambda: terminal("type"), "shared": shared, "unshared": lambda: os.unlink(f"/dev/shm{env['IPC_NAME']}"), "key": key,
    "ring": ring, "descriptors": descriptors, "namespaces": namespaces, "joined": joined, "mounts": mounts,
    "child": lambda: started("sh", "-c", 'echo changed > "$VICTIM"'), "env": lambda: started(env["EVIL"], "openings"),
}

try:
    attacks[sys.argv[1]]()
    print("came to its end")
except OSError as error:
    print("refused:", error)
