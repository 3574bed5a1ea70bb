import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownForm, mayBeKnown } from '../../src/core/programs/known.ts';
import { isLeftToChance, isMeasuring, isUnordered } from '../../src/core/programs/leftToChance.ts';
import { programOf } from '../../src/core/programs/programOf.ts';

const isKnown = (line: string, env: readonly string[] = [], isFed = true, isRoot = true): boolean =>
  knownForm({ argv: line.split(' '), env, isFed, isRoot }) !== undefined;

test('snippets and questions are known by the form of their words', () => {
  for (const line of [
    'python3 -c print(1) a -x',
    'python3.11 -uBc 1',
    '/usr/bin/python3 -W ignore -X utf8 -c 1',
    'python3',
    'python3 - a b',
    'python3 -I -m json.tool a.json',
    'python3 -VV',
    'perl -pe s/a/b/ a b',
    'perl -0777 -i.bak -lane print a',
    'perl -MList::Util=sum -e 1 -e 2',
    'perl -F, -lane print a',
    'node -p 1',
    'node',
    'node - a',
    'node --input-type=module -e 1',
    'node --input-type=module -',
    'node --no-warnings --trace-deprecation -e 1',
    'python3 -Wall -c 1',
    'perl -CSD -pe 1 a',
    'node --check a.js',
    'php -l a.php',
    'php -v',
    'ruby -c a.rb',
    'ruby -wc a.rb',
    'ruby -v',
    'lua -v',
    'java -version',
    'apt-get -s install curl',
    '/usr/lib/apt/methods/http',
    'apt-get install -s -y curl libc6:i386 x=1.2~rc1 other-',
    'apt-get -qqs upgrade',
    'apt remove --dry-run curl',
    'gofmt -l -w .',
    'shasum -a 256 a',
    'go env GOPATH',
    'pip3 list --format json',
    'python3 -m pip list',
    'python3 -um pip show -f pip',
    'ssh -V',
    'tmux -V',
    'npm ls --all',
    'npm config get registry',
    'npm c ls',
    'npm pkg get name',
    'npm explain left-pad',
    'javac -version',
    'rustc --version',
    'nobody-knows-it --help',
  ])
    assert.ok(isKnown(line), line);
});

test('other forms of the same programs are not', () => {
  for (const line of [
    'python3 a.py',
    'python3 -i -c 1',
    'python3 -ic 1',
    'python3 -c',
    'python3 -m http.server',
    'python3 -m own',
    'python3 -m',
    'python3 -x a',
    'perl a.pl',
    'perl -I. -e 1',
    'perl -e 1 -I.',
    'perl -d -e 1',
    'perl -M-strict=./x -e 1',
    'perl -S a',
    'node a.js',
    'node --input-type=module a.js',
    'node -r ./a -',
    'node --no-warnings=./a -e 1',
    'python3 -Werror::own.Warning -c 1',
    'perl -C./a -e 1',
    'node -r ./a -e 1',
    'node -e 1 --require=./a',
    'node --check a.js b',
    'php a.php',
    'ruby -c a.rb b.rb',
    'ruby -r./x -c a.rb',
    'ruby -c -r./x a.rb',
    'ruby -ce 1',
    'lua -v a.lua',
    'java -version A',
    'java -cp . A',
    'java -javaagent:a.jar -version',
    'perl -c a.pl',
    'apt-get install curl',
    'apt-get -s install ./a.deb',
    'apt-get -s install -o Dir=x curl',
    'apt-get -o Dir=x -s install curl',
    'apt-get -c x -s install curl',
    'apt-get -s update',
    '/usr/lib/apt/methods/http http://127.0.0.1',
    'php -l a.php b.php',
    'php -d auto_prepend_file=x -l a.php',
    'go build',
    'pip install x',
    'python3 -m pip install x',
    'python3 -m pip --quiet download x',
    'ssh -V host',
    'ssh host',
    'tmux -V x',
    'npm run x',
    'npm config set a b',
    'npm config edit',
    'npm pkg set a=b',
    'javac -version A.java',
    'javac @args',
    'rustc --version a.rs',
    'rustc',
  ])
    assert.ok(!isKnown(line), line);
});

test('what else decides: variables, and where the code comes from', () => {
  assert.ok(!isKnown('python3 -c 1', ['PYTHONPATH=lib']));
  assert.ok(!isKnown('php -l a.php', ['PHPRC=.']));
  assert.ok(!isKnown('ruby -c a.rb', ['RUBYOPT=-r./x']));
  assert.ok(!isKnown('java -version', ['JAVA_TOOL_OPTIONS=-javaagent:a.jar']));
  assert.ok(!isKnown('javac -version', ['JDK_JAVAC_OPTIONS=@args']));
  assert.ok(isKnown('java -version', ['JAVA_HOME=/usr/lib/jvm/x']));
  assert.ok(!isKnown('apt-get -s install curl', ['APT_CONFIG=x']));
  assert.ok(!isKnown('python3 -c 1', ['PYTHONINSPECT=1']));
  assert.ok(isKnown('python3 -c 1', ['PYTHONUNBUFFERED=1', 'PATH=/bin']));
  assert.ok(!isKnown('perl -e 1', ['PERL5LIB=lib']));
  assert.ok(!isKnown('node -e 1', ['NODE_OPTIONS=-r ./a']));
  assert.ok(isKnown('node -e 1', ['NODE_ENV=test']));
  assert.ok(isKnown('node -e 1', ['NODE_EXTRA_CA_CERTS=/etc/ssl/certs/own.pem']));
  assert.ok(!isKnown('node -e 1', ['NODE_V8_COVERAGE=out']));
  assert.ok(!isKnown('python3 -', [], false));
  assert.ok(isKnown('python3 -c 1', [], false));
});

test('views are made for it where the words may start such a program', () => {
  assert.ok(mayBeKnown(['python3', 'a.py']));
  assert.ok(mayBeKnown(['rustc', '--version']));
  assert.ok(!mayBeKnown(['git', '--version']), 'an inert program needs no form');
  assert.ok(!mayBeKnown(['rm', '-rf', 'a']));
});

test('chance decides where random numbers do, and the order of sets, keys and the like may show', () => {
  const unordered = (program: string, code: string) => isUnordered(program, [code]);
  for (const code of ['print(set(x))', 'for a in {"b", "c"}: print(a)', 'print({a for a in b})', 'print({"a", "b"})'])
    assert.ok(unordered('python3', code), code);
  for (const code of [
    'seen = set(x)\nprint(seen)',
    'seen = {a for a in b}\nfor one in seen: print(one)',
    'y = seen = set(x)',
    'seen = set(x)\nprint(f"{len(seen)}", seen, "x")',
    'seen = set(x)\nprint(f"{", ".join(seen)}")',
  ])
    assert.ok(unordered('python3', code), code);
  for (const code of [
    'print(sorted(set(x)))',
    'print(len(set(x)))',
    'd = {"id": 1, "b": 2}',
    'print(f"{a}")',
    'seen = set()\nif a not in seen: seen.add(a)\nprint(len(seen), sorted(seen))',
    '    done: set[str] = {name for (name,) in rows}\n    print(one in done)',
    'done = {name for (name,) in rows}\nbase.execute("insert into done values (?)", [1])\nprint(one in done)',
    "done = set(x)\nprint(f\"{'X' if one in done else ' '} {one}\")",
  ])
    assert.ok(!unordered('python3', code), code);
  assert.ok(unordered('perl', 'print keys %h'));
  assert.ok(!unordered('perl', 'print sort keys %h'));
  assert.ok(unordered('lua5.4', 'for k in pairs(t) do print(k) end'));
  assert.ok(unordered('java', 'System.out.println(Set.of("a", "b"));'));
  assert.ok(unordered('java', 'IntStream.range(0, 6).parallel().forEach(System.out::println);'));
  assert.ok(unordered('java', 'new Thread(() -> System.out.println(1)).start();'));
  assert.ok(unordered('go', 'for i := 0; i < 5; i++ { go func(i int) { fmt.Println(i) }(i) }'));
  assert.ok(unordered('go', 'go work.Serve(l); select { case x := <-a: }'));
  assert.ok(!unordered('go', 'go run ./cmd'));
  const prints = (code: string) => programOf('go')?.printsUnordered?.code.test(code) === true;
  assert.ok(prints('m := map[string]int{"a": 1}\nfor k, v := range m {\n if v > 0 {\n  fmt.Println(k)\n }\n}'));
  assert.ok(prints('func show(all map[int]bool) {\n for k := range all {\n  fmt.Fprintf(w, "%d", k)\n }\n}'));
  assert.ok(!prints('m := map[string]int{}\nfor _, k := range names {\n fmt.Println(m[k])\n}'));
  assert.ok(!prints('m := map[string]int{}\nfor k := range m {\n keys = append(keys, k)\n}\nfmt.Println(keys)'));
  assert.ok(
    prints(
      'tests := map[string]struct{ n int }{"a": {1}}\nfor name, tc := range tests {\n t.Run(name, func(t *testing.T) {',
    ),
  );
  assert.ok(
    prints('for i := 0; i < 2; i++ {\n w.Add(1)\n go func(i int) {\n  defer w.Done()\n  fmt.Println(i)\n }(i)\n}'),
  );
  assert.ok(!prints('done := make(chan bool)\ngo func() {\n fmt.Println("x")\n done <- true\n}()\n<-done'));
  const several = programOf('go')?.printsUnordered?.fails.printed;
  assert.ok(several?.test('--- FAIL: T (0.00s)\n    --- FAIL: T/a (0.00s)\n    --- FAIL: T/b (0.00s)\n'));
  assert.ok(several?.test('--- FAIL: T (0.00s)\n    x_test.go:3: bad a\n    x_test.go:3: bad b\nFAIL\n'));
  assert.ok(!several?.test('--- FAIL: T (0.00s)\n    --- FAIL: T/a (0.00s)\n        x_test.go:3: bad a\nFAIL\n'));
  for (const code of [
    'pid = os.fork()\nprint(1)',
    'for f in c.as_completed(fs): print(f.result())',
    'Process(target=f).start()',
  ])
    assert.ok(unordered('python3', code), code);
  assert.ok(!unordered('python3', 'print(sum(ThreadPoolExecutor(4).map(f, range(9))))'));
  assert.ok(unordered('ruby', '3.times.map { |i| Thread.new { puts i } }'));
  assert.ok(unordered('perl', 'if (fork == 0) { print 1; exit }'));
  assert.ok(isMeasuring('python3', ['print("%.6f" % timeit.timeit("1+1", number=9))']));
  assert.ok(isMeasuring('node', ['const from = performance.now()']));
  assert.ok(!isMeasuring('python3', ['time.sleep(1); print(datetime.now())']));
  assert.ok(unordered('node', 'new Worker("./w.js")'));
  assert.ok(isLeftToChance('python3', ['python3', '-', 'import random']));
  assert.ok(isLeftToChance('python3', ['for f in c.as_completed(fs):\n  n += 1\n  print(f.result())']));
  assert.ok(!isLeftToChance('python3', ['for f in c.as_completed(fs):\n  got[f] = f.result()\nprint(sorted(got))']));
  assert.ok(isLeftToChance('ruby', ['p [1, 2].shuffle']));
  assert.ok(!isLeftToChance('sort', ['import random']));
});

test('chance that begins with a constant is none, and other chance beside it is', () => {
  const chance = (program: string, code: string) => isLeftToChance(program, [code]);
  for (const [program, code] of [
    ['python3', 'import random; random.seed(4); random.shuffle(x); print(random.randint(1, 3))'],
    ['python3', "import random\nrng = random.Random('a')\nrng.shuffle(x)"],
    ['python3', "PYTHONHASHSEED=0 python3 -c 'print(hash(1))'"],
    ['python3', 'import numpy as np; np.random.seed(0); print(np.random.randint(2))'],
    ['perl', 'srand(3); print int(rand(3))'],
    ['ruby', 'srand 3; p [1, 2].shuffle, rand(2)'],
    ['ruby', 'p Random.new(3).random_number(2)'],
    ['ruby', 'p [3, 1].shuffle(random: Random.new(1))'],
    ['php', 'mt_srand(3); echo mt_rand(0, 1);'],
    ['lua', 'math.randomseed(3); print(math.random(2))'],
    ['java', 'var r = new Random(42); r.nextInt(2);'],
  ] as const)
    assert.equal(chance(program, code), false, code);
  for (const [program, code] of [
    ['python3', 'import random; random.seed(); print(random.randint(1, 3))'],
    ['python3', 'import random; random.seed(n); print(random.randint(1, 3))'],
    ['python3', 'import random; random.seed(4); print(random.SystemRandom().randint(1, 3))'],
    ['python3', 'import random, uuid; random.seed(4); print(uuid.uuid4().int % 3)'],
    ['python3', 'import random; r = random.Random(4); print(random.choice([1, 2]))'],
    ['python3', 'import random; import numpy as np; random.seed(4); print(np.random.randint(2))'],
    ['python3', 'import random; random.seed(4); print(hash("a"))'],
    ['perl', 'srand; print int(rand(3))'],
    ['ruby', 'r = Random.new(3); p [1, 2].shuffle'],
    ['php', 'srand(3); echo random_int(0, 1);'],
    ['java', 'new Random().nextInt(2)'],
  ] as const)
    assert.equal(chance(program, code), true, code);
});

test('what asks for the rights of root first is known of an ordinary user', () => {
  for (const line of ['apt-get install -y curl', 'apt-get -qq update', 'apt remove curl', 'apt-get upgrade']) {
    assert.ok(isKnown(line, [], true, false), line);
    assert.ok(!isKnown(line), line);
  }
  for (const line of [
    'apt-get install ./a.deb',
    'apt-get -o Dir=x update',
    'apt-get download curl',
    'apt-get source curl',
  ])
    assert.ok(!isKnown(line, [], true, false), line);
});

test('what is drawn so widely that no two runs agree shows by itself, unless little is made of it', () => {
  for (const [program, code] of [
    ['python3', 'import tempfile; d = tempfile.mkdtemp(); print(sorted(os.listdir(d)))'],
    ['python3', 'print(len(uuid.uuid4().hex[:8]), secrets.token_hex(4), os.urandom(8))'],
    ['node', 'console.log(crypto.randomUUID().length, fs.mkdtempSync("x").length, crypto.randomBytes(8))'],
    ['ruby', 'puts SecureRandom.hex(4), SecureRandom.uuid'],
    ['php', 'echo strlen(uniqid()), bin2hex(random_bytes(8));'],
    ['java', 'UUID.randomUUID().toString()'],
  ] as const)
    assert.equal(isLeftToChance(program, [code]), false, code);
  for (const [program, code] of [
    ['python3', 'print(uuid.uuid4().hex[0], 1)'],
    ['python3', 'print(os.urandom(1)[0] > 99)'],
    ['python3', 'u = [uuid.uuid4() for _ in "ab"]\nprint(u[0] == sorted(u)[0])'],
    ['python3', 'print(secrets.choice("ab"), secrets.randbelow(2))'],
    ['node', 'crypto.randomBytes(1)'],
    ['node', 'crypto.randomInt(3)'],
    ['node', 'randomUUID().slice(0, 1)'],
    ['ruby', 'p SecureRandom.random_number(2)'],
    ['ruby', 'p SecureRandom.hex(1)'],
  ] as const)
    assert.equal(isLeftToChance(program, [code]), true, code);
});
