# attack.rb NAME: what a program in Ruby could try. Every target is in the environment, and is a canary.
require 'fileutils'
require 'socket'
victim, second, outside, home, view = ENV.values_at('VICTIM', 'SECOND_VICTIM', 'OUTSIDE', 'HOME', 'VIEW')
pid = ENV['PID'].to_i
attacks = {
  'overwrite' => -> { File.write(victim, 'changed') },
  'append' => -> { File.open(victim, 'a') { |f| f << 'x' } },
  'truncate' => -> { File.truncate(victim, 0) },
  'mode' => -> { File.chmod(0o4777, victim) },
  'times' => -> { File.utime(1, 1, victim) },
  'unlink' => -> { File.unlink(victim) },
  'rename' => -> { File.rename(victim, second) },
  'make' => -> { FileUtils.touch("#{outside}/new") },
  'folder' => -> { FileUtils.mkdir_p("#{outside}/a/b") },
  'symlink' => -> { File.symlink('x', "#{outside}/soft") },
  'link' => -> { File.link(victim, "#{outside}/link") },
  'fifo' => -> { File.mkfifo("#{outside}/pipe") },
  'soft' => -> { File.symlink(victim, "#{view}/soft"); File.write("#{view}/soft", 'x') },
  'copied' => -> { IO.copy_stream("#{view}/a", victim) },
  'reopened' => -> { File.write("/proc/self/fd/#{File.open(victim).fileno}", 'x') },
  'removed' => -> { FileUtils.rm_rf("#{home}/.ssh") },
  'home' => -> { File.write("#{home}/.profile", 'x') },
  'workspace' => -> { File.unlink("#{view}/precious") },
  'memory' => -> { File.open("/proc/#{pid}/mem", 'r+b') { |f| f.seek(ENV['ADDR'].to_i); f.write("hit\0"); f.flush } },
  'signal' => -> { Process.kill('USR1', pid) },
  'priority' => -> { Process.setpriority(Process::PRIO_PROCESS, pid, 5) },
  'daemon' => -> { fork { Process.daemon(true); sleep 0.3; File.write(victim, 'x') }; Process.wait; sleep 0.6 },
  'thread' => -> { Thread.new { File.write(victim, 'x') }.join },
  'tcp' => -> { TCPSocket.new('127.0.0.1', ENV['TCP_PORT'].to_i).close },
  'tcp6' => -> { TCPSocket.new('::1', ENV['TCP6_PORT'].to_i).close },
  'udp' => -> { UDPSocket.new.send('x', 0, '127.0.0.1', ENV['UDP_PORT'].to_i); sleep 0.05 },
  'unix' => -> { UNIXSocket.new("#{outside}/listen.sock").close },
  'terminalText' => -> { File.open(ENV['PTY'], File::WRONLY | File::NOCTTY) { |f| f.syswrite('x') } },
  'shared' => -> { File.open("/dev/shm#{ENV['IPC_NAME']}", 'r+') { |f| f.write('hit') } },
  'child' => -> { system('echo changed > "$VICTIM"') },
  'ring' => -> { puts 'HIT io_uring' if syscall(425, 4, "\0" * 120) >= 0 },
  'became' => -> { exec(ENV['EVIL'], 'openings') }
}
begin
  attacks.fetch(ARGV[0]).call
  puts 'came to its end'
rescue SystemCallError, SecurityError => e
  puts "refused: #{e.message}"
end
