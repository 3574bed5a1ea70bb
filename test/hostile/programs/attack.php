<?php
// attack.php NAME: what a program in PHP could try. Every target is in the environment, and is a canary.
[$victim, $second, $outside, $home, $view] = array_map('getenv', ['VICTIM', 'SECOND_VICTIM', 'OUTSIDE', 'HOME', 'VIEW']);
$attacks = [
  'overwrite' => fn () => file_put_contents($victim, 'changed'),
  'append' => fn () => file_put_contents($victim, 'x', FILE_APPEND),
  'truncate' => fn () => ftruncate(fopen($victim, 'r+'), 0),
  'mode' => fn () => chmod($victim, 04777),
  'times' => fn () => touch($victim, 1),
  'unlink' => fn () => unlink($victim),
  'rename' => fn () => rename($victim, $second),
  'make' => fn () => touch("$outside/new"),
  'folder' => fn () => mkdir("$outside/a/b", 0755, true),
  'symlink' => fn () => symlink('x', "$outside/soft"),
  'link' => fn () => link($victim, "$outside/link"),
  'copied' => fn () => copy("$view/a", $victim),
  'wrapper' => fn () => file_put_contents("file://$victim", 'x'),
  'home' => fn () => file_put_contents("$home/.bashrc", 'x', FILE_APPEND),
  'workspace' => fn () => unlink("$view/precious"),
  'memory' => function () { $f = fopen('/proc/' . getenv('PID') . '/mem', 'r+b'); fseek($f, (int) getenv('ADDR')); fwrite($f, "hit\0"); fclose($f); },
  'tcp' => fn () => fsockopen('127.0.0.1', (int) getenv('TCP_PORT')),
  'udp' => fn () => fwrite(fsockopen('udp://127.0.0.1', (int) getenv('UDP_PORT')), 'x') . usleep(50000),
  'unix' => fn () => fsockopen("unix://$outside/listen.sock"),
  'fetched' => fn () => file_get_contents('http://127.0.0.1:' . getenv('TCP_PORT'), false, stream_context_create(['http' => ['timeout' => 0.2]])),
  'child' => fn () => shell_exec('echo changed > "$VICTIM"'),
  'shared' => fn () => file_put_contents('/dev/shm' . getenv('IPC_NAME'), 'hit'),
];
$attacks[$argv[1]]();
echo "came to its end\n";
