/** A workspace with commands, and the texts in it that an exact answer to each needs. */
export interface WorkspaceOfFacts {
  name: string;
  /** Text by path; a path that ends with `/` is left empty. */
  files: Readonly<Record<string, string>>;
  /** Command, the texts that an answer needs, and those that only take room. */
  commands: readonly { command: string; needs: readonly string[]; noise?: readonly string[] }[];
}

const shop: WorkspaceOfFacts = {
  name: 'packages in TypeScript',
  files: {
    'package.json': JSON.stringify({
      name: 'shop',
      private: true,
      workspaces: ['packages/*'],
      scripts: { build: 'tsc -b', test: 'vitest run', lint: 'eslint packages', format: 'prettier --write packages' },
      devDependencies: { vitest: '^2', eslint: '^9' },
    }),
    'tsconfig.json':
      '{ // the whole\n "compilerOptions": { "strict": true, "baseUrl": ".", "paths": { "@/*": ["packages/core/src/*"], "money": ["packages/core/src/money.ts"] } },\n "references": [{"path":"packages/core"}], }',
    'eslint.config.js': 'export default [{ rules: { "no-var": "error" } }];\n',
    '.prettierrc': '{ "singleQuote": true }\n',
    'vitest.config.ts': "export default { test: { globals: true, environment: 'node' } };\n",
    'packages/core/package.json':
      '{"name":"@shop/core","version":"1.4.2","exports":{".":"./src/index.ts","./tax":"./src/tax.ts"}}',
    'packages/core/tsconfig.json': '{ "extends": "../../tsconfig.json", "include": ["src"] }',
    'packages/core/src/index.ts': "export { total } from './cart.js';\nexport * as rates from '@/rates';\n",
    'packages/core/src/cart.ts':
      "import { round } from 'money';\nvar legacy = 1;\nexport function total(list: number[]) { return round(list.reduce((a, b) => a + b, 0)); }\n",
    'packages/core/src/money.ts': 'export const round = (n: number) => Math.round(n * 100) / 100;\n',
    'packages/core/src/rates.ts': 'export const vat: number = "19 %";\n',
    'packages/core/src/names.ts':
      "import names from './names.json' with { type: 'json' };\nexport const gift: number = names.gift;\n",
    'packages/core/src/names.json': '{"gift":"card 17"}\n',
    'packages/core/src/tax.ts': 'export const tax = (n: number) => n * 0.19;\n',
    'packages/core/test/cart.test.ts':
      "import { total } from '../src/index.ts';\ntest('adds cents', () => expect(total([0.1, 0.2])).toBe(0.3));\n",
    'packages/web/package.json': '{"name":"@shop/web","dependencies":{"@shop/core":"*"}}',
    'packages/web/src/main.ts':
      "import { total } from '@shop/core';\nimport { tax } from '@shop/core/tax';\nconsole.log('due', tax(total([1, 2])));\n",
    'packages/web/index.html': '<script type="module" src="/src/main.ts"></script>\n',
    'scripts/report.mjs':
      "import { readFileSync } from 'node:fs';\nconst rows = JSON.parse(readFileSync(new URL('../data/orders.json', import.meta.url)));\nconsole.log(rows.length);\n",
    'scripts/clean.sh': '#!/bin/sh\nrm -rf dist coverage\n',
    'data/orders.json': '[{"id":17},{"id":18}]\n',
    'notes/plan.md': 'nobody asks for the plan\n',
    'node_modules/vitest/package.json': '{"name":"vitest","version":"2.1.9","main":"index.js"}\n',
    'node_modules/eslint/package.json': '{\n  "name": "eslint",\n  "version": "9.14.2"\n}\n',
  },
  commands: [
    {
      command: 'npm test',
      needs: [
        'adds cents',
        'export { total }',
        'return round(list',
        'Math.round(n * 100)',
        "environment: 'node'",
        '"19 %"',
      ],
    },
    {
      command: 'npx tsc --noEmit -p .',
      needs: ['"strict": true', '"19 %"', 'n * 0.19', "'due'", 'return round(list', 'card 17'],
    },
    { command: 'npx eslint packages', needs: ['"no-var": "error"', 'var legacy', "'due'", '"version": "9.14.2"'] },
    { command: 'npm run format', needs: ['"singleQuote": true', "'due'", 'var legacy', '"19 %"'] },
    {
      command: 'node packages/web/src/main.ts',
      needs: ["'due'", 'export { total }', 'n * 0.19', 'Math.round(n * 100)', '"version":"1.4.2"'],
    },
    { command: 'node scripts/report.mjs', needs: ['rows.length', '{"id":18}'] },
    {
      command: 'npx vitest run packages/core/test/cart.test.ts',
      needs: ['adds cents', 'return round(list', 'globals: true', '"version":"2.1.9"'],
    },
    {
      command: `node -e "import('./packages/core/src/tax.ts').then((m) => console.log(m.tax(5)))"`,
      needs: ['n * 0.19'],
    },
    {
      command:
        "node --input-type=module <<'X'\nimport { round } from './packages/core/src/money.ts';\nconsole.log(round(1.234));\nX",
      needs: ['Math.round(n * 100)'],
    },
    {
      command: 'npm run build',
      needs: ['"strict": true', '"19 %"', '"extends": "../../tsconfig.json"', 'return round(list'],
    },
    { command: 'rm notes/plan.md && npm test', needs: ['adds cents'], noise: ['nobody asks for the plan'] },
  ],
};

const clinic: WorkspaceOfFacts = {
  name: 'Django and scripts in Python',
  files: {
    'pyproject.toml':
      '[project]\nname = "clinic"\nversion = "2.1"\n[tool.pytest.ini_options]\npythonpath = ["src"]\n[tool.black]\nline-length = 79\n[tool.mypy]\nstrict = true\n',
    'manage.py':
      "#!/usr/bin/env python3\nimport os, sys\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'clinic.settings')\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n",
    'clinic/__init__.py': '',
    'clinic/settings.py':
      "INSTALLED_APPS = ['visits']\nDATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'db.sqlite3'}}\nROOT_URLCONF = 'clinic.urls'\n",
    'clinic/urls.py': "urlpatterns = [path('visits/', include('visits.urls'))]\n",
    'visits/__init__.py': '',
    'visits/models.py':
      'class Visit(models.Model):\n    reason = models.CharField(max_length=80)\n    paid = models.BooleanField()\n',
    'visits/urls.py': "urlpatterns = [path('new', views.new_visit)]\n",
    'visits/views.py': 'def new_visit(request): return render(request, "visit.html")\n',
    'visits/tests.py': 'class VisitTest(TestCase):\n    def test_reason(self): self.assertEqual(Visit().reason, "")\n',
    'visits/migrations/__init__.py': '',
    'visits/migrations/0001_initial.py':
      "operations = [CreateModel('Visit', fields=[('reason', CharField(max_length=40))])]\n",
    'src/ledger/__init__.py': 'from .book import Book\n',
    'src/ledger/__main__.py': 'from ledger import Book\nfrom ledger import fees\nprint(Book().sum(), fees.LATE)\n',
    'src/ledger/book.py': 'class Book:\n    entries = (12, 30)\n    def sum(self): return sum(self.entries)\n',
    'src/ledger/fees.py': 'LATE = 7.5\nLATE: str = LATE\n',
    'tests/conftest.py':
      'import pytest\n@pytest.fixture\ndef book():\n    from ledger import Book\n    return Book()\n',
    'tests/unit/test_book.py': 'def test_sum(book):\n    assert book.sum() == 43\n',
    'tools/export.py':
      "import csv, pathlib\nfrom tools.lib import header\nrows = list(csv.reader(pathlib.Path('data/visits.csv').open()))\nprint(header(), len(rows))\n",
    'tools/__init__.py': '',
    'tools/lib.py': "def header(): return 'EXPORT v3'\n",
    'data/visits.csv': 'day,reason\n1,cough\n2,fever\n',
    Dockerfile:
      'FROM python:3.12-slim\nCOPY pyproject.toml requirements.txt ./\nRUN pip install -r requirements.txt\nCOPY src ./src\nCMD ["python", "-m", "ledger"]\n',
    '.dockerignore': 'data\n',
    'requirements.txt': 'django==5.1.2\n',
    Makefile: 'out/report.txt: data/visits.csv tools/export.py\n\tmkdir -p out\n\tpython3 tools/export.py > $@\n',
    '.venv/lib/python3.12/site-packages/django-5.1.2.dist-info/METADATA': 'Name: django\n',
    '.venv/lib/python3.12/site-packages/pytest-8.3.3.dist-info/METADATA': 'Name: pytest\n',
    '.venv/pyvenv.cfg': 'home = /opt/python/bin\nversion = 3.12.4\n',
    'tools/rates.py':
      "import csv\n\ndef table(name='data/rates.csv'):\n    return list(csv.reader(open(name)))\n\nprint(table())\n",
    'data/rates.csv': 'eur,chf\n',
    'docs/old.md': 'nobody asks for the old page\n',
  },
  commands: [
    {
      command: 'pytest -q',
      needs: [
        'book.sum() == 43',
        'def book():',
        'entries = (12, 30)',
        'pythonpath = ["src"]',
        'pytest-8.3.3',
        'version = 3.12.4',
      ],
    },
    { command: 'python3 -m pytest tests/unit', needs: ['book.sum() == 43', 'def book():', 'entries = (12, 30)'] },
    {
      command: 'PYTHONPATH=src python3 -m ledger',
      needs: ['fees.LATE', 'entries = (12, 30)', 'LATE = 7.5', 'from .book'],
    },
    {
      command: 'python3 manage.py migrate',
      needs: ["'visits'", "'NAME': 'db.sqlite3'", 'max_length=40', 'max_length=80', 'django-5.1.2'],
    },
    {
      command: 'python manage.py makemigrations',
      needs: ['max_length=40', 'max_length=80', "INSTALLED_APPS = ['visits']"],
    },
    { command: './manage.py test', needs: ['test_reason', 'max_length=80', "INSTALLED_APPS = ['visits']"] },
    { command: 'python3 manage.py show_urls', needs: ["include('visits.urls')", 'views.new_visit'] },
    { command: 'python3 tools/rates.py', needs: ['eur,chf', 'table(name'] },
    { command: 'black src', needs: ['line-length = 79', 'entries = (12, 30)', 'LATE = 7.5'] },
    { command: 'mypy src', needs: ['strict = true', 'LATE: str = LATE', 'entries = (12, 30)'] },
    { command: 'python3 tools/export.py', needs: ['EXPORT v3', '2,fever', 'len(rows)'] },
    { command: "python3 - <<'X'\nfrom src.ledger.fees import LATE\nprint(LATE)\nX", needs: ['LATE = 7.5'] },
    { command: "python3 -c 'import tools.lib; print(tools.lib.header())'", needs: ['EXPORT v3'] },
    {
      command: 'docker build -t ledger .',
      needs: ['FROM python:3.12-slim', 'django==5.1.2', 'src/ledger/__main__.py', 'docker.sock', '.dockerignore'],
    },
    { command: 'make', needs: ['2,fever', 'EXPORT v3', 'out/report.txt:'] },
    { command: 'rm docs/old.md; pytest', needs: ['book.sum() == 43'], noise: ['nobody asks for the old page'] },
  ],
};

const tools: WorkspaceOfFacts = {
  name: 'Go, C, Rust and Ruby',
  files: {
    'go.mod': 'module example.com/tide\n\ngo 1.22\n',
    'cmd/tide/main.go':
      'package main\n\nimport (\n\t"fmt"\n\t"example.com/tide/internal/moon"\n)\n\nfunc main() { fmt.Println(moon.Phase(3), version) }\n',
    'cmd/tide/version.go': 'package main\n\nconst version = "0.9-spring"\n',
    'internal/moon/moon.go': 'package moon\n\nfunc Phase(day int) string { return names[day%4] }\n',
    'internal/moon/names.go': 'package moon\n\nvar names = []string{"new", "waxing", "full", "waning"}\n',
    'internal/moon/moon_test.go':
      'package moon\n\nfunc TestPhase(t *testing.T) { if Phase(2) != "half" { t.Fatal("phase of day 2") } }\n',
    'c/Makefile':
      'CFLAGS = -Wall -Iinclude\nall: gauge\ngauge: src/gauge.o src/scale.o\n\t$(CC) -o $@ $^\nclean:\n\trm -f gauge src/*.o\n',
    'c/src/gauge.c':
      '#include "scale.h"\n#include <stdio.h>\nint main(void) { int unused; printf("%d\\n", scale(4)); }\n',
    'c/src/scale.c': '#include "scale.h"\nint scale(int n) { return n * FACTOR; }\n',
    'c/include/scale.h': '#define FACTOR 12\nint scale(int n);\n',
    'rust/Cargo.toml': '[package]\nname = "wave"\nversion = "0.3.1"\nedition = "2021"\n',
    'rust/src/main.rs':
      'mod height;\nuse crate::wind::speed;\nmod wind;\nfn main() { println!("{}", height::of(speed())); }\n',
    'rust/src/height.rs': 'pub fn of(n: u32) -> u32 { n * 3 }\n',
    'rust/src/wind/mod.rs': 'pub fn speed() -> u32 { 14 }\n',
    'rust/tests/high.rs': '#[test]\nfn high() { assert_eq!(2 + 2, 5, "spring tide"); }\n',
    'ruby/bin/buoy': '#!/usr/bin/env ruby\nrequire_relative "../lib/buoy"\nputs Buoy.new.signal\n',
    'ruby/lib/buoy.rb': 'require "json"\nrequire_relative "buoy/lamp"\nclass Buoy; def signal = Lamp::COLOUR; end\n',
    'ruby/lib/buoy/lamp.rb': 'module Lamp; COLOUR = "amber"; end\n',
    'bin/deploy.sh': '#!/usr/bin/env bash\nset -e\n. "$(dirname "$0")/env.sh"\necho "to $TARGET"\n',
    'bin/env.sh': 'TARGET=harbour-7\n',
    'k8s/app.yaml': 'kind: Deployment\nmetadata: { name: tide-web }\n',
  },
  commands: [
    { command: 'go test ./...', needs: ['phase of day 2', 'names[day%4]', '"waning"', 'go 1.22'] },
    { command: 'go run ./cmd/tide', needs: ['0.9-spring', 'moon.Phase(3)', 'names[day%4]', '"waxing"'] },
    { command: 'go vet ./...', needs: ['moon.Phase(3)', 'phase of day 2', '0.9-spring'] },
    { command: 'go build -o tide ./cmd/tide', needs: ['0.9-spring', 'names[day%4]', 'module example.com/tide'] },
    { command: 'make -C c', needs: ['-Wall -Iinclude', 'int unused', 'n * FACTOR', 'FACTOR 12'] },
    {
      command: 'gcc -Ic/include -o gauge c/src/gauge.c c/src/scale.c',
      needs: ['int unused', 'n * FACTOR', 'FACTOR 12'],
    },
    { command: 'cd rust && cargo run', needs: ['height::of(speed())', 'n * 3', '-> u32 { 14 }', '"0.3.1"'] },
    { command: 'cargo test --manifest-path rust/Cargo.toml', needs: ['spring tide', 'n * 3', '"0.3.1"'] },
    { command: 'ruby ruby/bin/buoy', needs: ['Buoy.new.signal', 'Lamp::COLOUR', '"amber"'] },
    { command: 'bash bin/deploy.sh', needs: ['harbour-7', 'to $TARGET'] },
    { command: 'kubectl apply -f k8s/app.yaml', needs: ['tide-web', '.kube/config'] },
  ],
};

const services: WorkspaceOfFacts = {
  name: 'services of several kinds',
  files: {
    'compose.yaml':
      'services:\n  api:\n    build: ./api\n    env_file: api/plain.cfg\n  web:\n    env_file: [api/web.cfg]\n    volumes:\n      - ./api/site.conf:/etc/site.conf\n',
    'api/web.cfg': 'TIER=gold-2\n',
    'api/site.conf': 'listen 8088;\n',
    'api/Dockerfile': 'FROM python:3.11\nCOPY app ./app\n',
    'api/plain.cfg': 'REGION=north-4\n',
    'api/app/__init__.py': '',
    'api/app/main.py': 'from app import routes\napi = routes.build()\n',
    'api/app/routes.py': 'def build(): return "route table 9"\n',
    'api/tasks.py': 'QUEUE = "slow lane"\n',
    'api/alembic.ini': 'script_location = migrations\n',
    'api/migrations/versions/a1.py': 'def upgrade(): op.add_column("orders", "gift")\n',
    'java/pom.xml': '<artifactId>billing</artifactId>\n',
    'java/src/main/java/org/acme/Bill.java': 'package org.acme;\nclass Bill { int due() { return 71; } }\n',
    'java/src/test/java/org/acme/BillTest.java':
      'package org.acme;\nclass BillTest { void due() { assertEquals(70, new Bill().due()); } }\n',
    'infra/main.tf': 'module "net" { source = "./net" }\n',
    'infra/net/main.tf': 'resource "null_resource" "gate" { count = 3 }\n',
    'native/CMakeLists.txt': 'add_executable(pump src/pump.cpp src/valve.cpp)\n',
    'native/src/pump.cpp': '#include "valve.h"\nint main() { return valve(2); }\n',
    'native/src/valve.cpp': 'int valve(int n) { return n * 8; }\n',
    'native/src/valve.h': 'int valve(int n);\n',
    'site/index.html': '<script type="module" src="/src/page.tsx"></script>\n',
    'site/package.json': '{"name":"site","scripts":{"dev":"vite"}}',
    'site/src/page.tsx': "import Title from './Title';\nmount(<Title />);\n",
    'site/src/Title.tsx': 'export default () => <h1>Opening hours</h1>;\n',
    'jobs/lib/clock.mjs': 'export const tick = () => 60;\n',
    'jobs/test/clock.test.mjs': "import { tick } from '../lib/clock.mjs';\ntest('ticks', () => equal(tick(), 59));\n",
  },
  commands: [
    {
      command: 'docker compose up --build',
      needs: ['build: ./api', 'FROM python:3.11', 'north-4', 'gold-2', 'listen 8088', 'docker.sock'],
    },
    { command: 'cd api && uvicorn app.main:api --port 9000', needs: ['routes.build()', 'route table 9'] },
    { command: 'cd api && celery -A tasks worker', needs: ['slow lane'] },
    { command: 'cd api && alembic upgrade head', needs: ['script_location', '"gift"'] },
    { command: 'mvn -q -f java/pom.xml test', needs: ['billing', 'return 71', 'assertEquals(70'] },
    { command: 'cd infra && terraform plan', needs: ['"./net"', 'count = 3'] },
    { command: 'cmake -S native -B build && cmake --build build', needs: ['add_executable(pump', 'valve(2)', 'n * 8'] },
    { command: 'cd site && npm run dev', needs: ['mount(<Title', 'Opening hours'] },
    { command: 'cd jobs && node --test', needs: ['equal(tick(), 59)', '=> 60'] },
  ],
};

/** Workspaces of different ecosystems. */
export const workspacesOfFacts: readonly WorkspaceOfFacts[] = [shop, clinic, tools, services];
