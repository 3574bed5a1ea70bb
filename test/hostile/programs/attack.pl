# attack.pl NAME: what a program in Perl could try. Every target is in the environment, and is a canary.
use strict;
use warnings;
use Fcntl;
use POSIX ();
use Socket;
my ($victim, $second, $outside, $home, $view, $pid) = @ENV{qw(VICTIM SECOND_VICTIM OUTSIDE HOME VIEW PID)};

sub put { my ($path, $how) = @_; open my $file, $how // '>', $path or die "$!\n"; print {$file} "changed\n"; close $file or die "$!\n" }
sub ok { $_[0] or die "$!\n" }
sub reach { my ($family, $kind, $address) = @_; socket my $s, $family, $kind, 0 or die "$!\n"; if ($kind == SOCK_DGRAM) { ok(send $s, 'x', 0, $address) } else { ok(connect $s, $address) } select undef, undef, undef, 0.02 }

my %attacks = (
  overwrite => sub { put($victim) },
  append => sub { put($victim, '>>') },
  update => sub { put($victim, '+<') },
  truncate => sub { ok(truncate $victim, 0) },
  mode => sub { ok(chmod 0600, $victim) },
  setuid => sub { ok(chmod 04777, $victim) },
  times => sub { ok(utime 1, 1, $victim) },
  unlink => sub { ok(unlink $victim) },
  rename => sub { ok(rename $victim, $second) },
  make => sub { put("$outside/new") },
  folder => sub { ok(mkdir "$outside/folder") },
  symlink => sub { ok(symlink 'x', "$outside/soft") },
  link => sub { ok(link $victim, "$outside/link") },
  fifo => sub { ok(POSIX::mkfifo("$outside/pipe", 0644)) },
  soft => sub { symlink $victim, "$view/soft"; put("$view/soft") },
  reopened => sub { sysopen my $file, $victim, O_RDONLY or die; put('/proc/self/fd/' . fileno $file) },
  duplicated => sub { sysopen my $file, $victim, O_WRONLY or die "$!\n"; open my $other, '>&', $file or die; syswrite $other, 'x' },
  roots => sub { for my $path ("/proc/$pid/root$victim", "/proc/$pid/cwd/victim", "/proc/self/root$victim") { eval { put($path) } } },
  home => sub { put("$home/.bashrc", '>>') },
  keys => sub { put("$home/.ssh/authorized_keys") },
  repository => sub { put("$view/.git/hooks/post-checkout") },
  workspace => sub { ok(unlink "$view/precious") },
  inPlace => sub { ok(!system $^X, '-pi', '-e', 's/untouched/changed/', $victim) },
  memory => sub { sysopen my $file, "/proc/$pid/mem", O_RDWR or die "$!\n"; sysseek $file, $ENV{ADDR}, 0; syswrite $file, "hit\0" },
  oom => sub { open my $file, '>', "/proc/$pid/oom_score_adj" or die "$!\n"; print {$file} 700; close $file or die "$!\n" },
  signal => sub { ok(kill 'USR1', $pid) },
  stopped => sub { ok(kill 'STOP', $pid); kill 'CONT', $pid },
  priority => sub { ok(setpriority 0, $pid, 5) },
  tcp => sub { reach(PF_INET, SOCK_STREAM, scalar pack_sockaddr_in($ENV{TCP_PORT}, INADDR_LOOPBACK)) },
  tcp6 => sub { reach(PF_INET6, SOCK_STREAM, scalar Socket::pack_sockaddr_in6($ENV{TCP6_PORT}, Socket::IN6ADDR_LOOPBACK())) },
  udp => sub { reach(PF_INET, SOCK_DGRAM, scalar pack_sockaddr_in($ENV{UDP_PORT}, INADDR_LOOPBACK)) },
  unix => sub { reach(PF_UNIX, SOCK_STREAM, scalar pack_sockaddr_un("$outside/listen.sock")) },
  abstract => sub { reach(PF_UNIX, SOCK_STREAM, pack('Sa*', PF_UNIX, "\0$ENV{ABSTRACT}")) },
  datagram => sub { reach(PF_UNIX, SOCK_DGRAM, scalar pack_sockaddr_un("$outside/datagram.sock")) },
  waiting => sub { sysopen my $file, "$outside/fifo", O_WRONLY | O_NONBLOCK or die "$!\n"; syswrite $file, 'x' },
  terminalText => sub { sysopen my $file, $ENV{PTY}, O_WRONLY | O_NOCTTY or die "$!\n"; syswrite $file, 'x' },
  terminalTyped => sub { sysopen my $file, $ENV{PTY}, O_RDWR | O_NOCTTY or die "$!\n"; my $typed = 'x'; ok(ioctl $file, 0x5412, $typed); print "HIT typed\n" },
  terminalSize => sub { sysopen my $file, $ENV{PTY}, O_RDWR | O_NOCTTY or die "$!\n"; my $size = pack 'SSSS', 3, 4, 0, 0; ok(ioctl $file, 0x5414, $size) },
  segments => sub { ok(shmwrite $ENV{SHM_ID}, 'hit', 0, 4) },
  semaphores => sub { ok(semctl $ENV{SEM_ID}, 0, 16, 1) },
  messages => sub { ok(msgsnd $ENV{MSG_ID}, pack('l! a*', 1, 'x'), 2048) },
  removedSegments => sub { ok(shmctl $ENV{SHM_ID}, 0, 0) },
  shared => sub { put("/dev/shm$ENV{IPC_NAME}", '+<') },
  ring => sub { my $room = "\0" x 120; ok(syscall(425, 4, $room) >= 0); print "HIT io_uring\n" },
  tree => sub { my $name = '/'; ok(syscall(428, -100, $name, 1) >= 0); print "HIT open_tree\n" },
  key => sub { my $text = 'hit'; ok(syscall(($^O, `uname -m`)[1] =~ /x86/ ? 250 : 219, 2, $ENV{KEY} + 0, $text, 3) >= 0) },
  daemon => sub { if (!fork) { POSIX::setsid(); if (!fork) { select undef, undef, undef, 0.3; put($victim) } POSIX::_exit(0) } wait; select undef, undef, undef, 0.6 },
  child => sub { ok(!system 'sh', '-c', 'echo changed > "$VICTIM"') },
  piped => sub { open my $to, '|-', 'cat > "$VICTIM"' or die; print {$to} 'x'; close $to },
  became => sub { exec $ENV{EVIL}, 'openings' },
);

my $attack = $attacks{$ARGV[0]} or die "no such attack\n";
$| = 1;
eval { $attack->(); print "came to its end\n"; 1 } or print "refused: $@";
