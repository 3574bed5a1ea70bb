import type { WorkspaceOfFacts } from './workspacesOfFacts.ts';

/** Builds and packages of ecosystems that the others do not have. */
export const furtherFacts: readonly WorkspaceOfFacts[] = [
  {
    name: 'builds and packages of further kinds',
    files: {
      'gradle/settings.gradle.kts': 'rootProject.name = "orchard"\ninclude(":core", ":app")\n',
      'gradle/build.gradle.kts': 'plugins { kotlin("jvm") version "1.9.24" apply false }\n',
      'gradle/gradle.properties': 'org.gradle.jvmargs=-Xmx700m\norchard.season=late\n',
      'gradle/core/build.gradle.kts': 'dependencies { implementation("com.pear:juice:3.2") }\n',
      'gradle/core/src/main/kotlin/Tree.kt': 'fun apples() = 41\n',
      'gradle/core/src/test/kotlin/TreeTest.kt':
        'class TreeTest { @Test fun counts() { assertEquals(42, apples()) } }\n',
      'gradle/app/build.gradle.kts': 'application { mainClass.set("MainKt") }\n',
      'gradle/app/src/main/kotlin/Main.kt': 'fun main() { println("basket ${apples()}") }\n',
      'php/composer.json':
        '{"name":"bakery/web","scripts":{"test":"phpunit --testdox","post-install-cmd":"@php bin/warm.php"},"require-dev":{"phpunit/phpunit":"^11"},"autoload":{"psr-4":{"Bakery\\\\":"src/"}}}\n',
      'php/phpunit.xml':
        '<phpunit bootstrap="tests/boot.php"><testsuites><testsuite name="rye"><directory>tests</directory></testsuite></testsuites></phpunit>\n',
      'php/tests/boot.php': '<?php const OVEN = 220;\n',
      'php/tests/LoafTest.php':
        '<?php class LoafTest extends TestCase { function testCrust() { $this->assertSame(3, (new Bakery\\Loaf)->crust()); } }\n',
      'php/src/Loaf.php': '<?php namespace Bakery; class Loaf { function crust() { return 4; } }\n',
      'php/bin/warm.php': '<?php echo "oven warm\\n";\n',
      'net/Fleet.sln':
        'Project("{F}") = "Ship", "Ship/Ship.csproj", "{1}"\nProject("{F}") = "Ship.Tests", "Ship.Tests/Ship.Tests.csproj", "{2}"\n',
      'net/Ship/Ship.csproj':
        '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework><RootNamespace>Harbor</RootNamespace></PropertyGroup></Project>\n',
      'net/Ship/Hull.cs': 'public static class Hull { public static int Length() => 88; }\n',
      'net/Ship/Program.cs': 'Console.WriteLine($"hull {Hull.Length()}");\n',
      'net/Ship.Tests/Ship.Tests.csproj':
        '<Project><ItemGroup><PackageReference Include="xunit" Version="2.7.1" /><ProjectReference Include="../Ship/Ship.csproj" /></ItemGroup></Project>\n',
      'net/Ship.Tests/HullTests.cs':
        'public class HullTests { [Fact] public void Long() => Assert.Equal(90, Hull.Length()); }\n',
      'net/Directory.Build.props':
        '<Project><PropertyGroup><TreatWarningsAsErrors>true</TreatWarningsAsErrors></PropertyGroup></Project>\n',
      'net/global.json': '{"sdk":{"version":"8.0.204"}}\n',
      'elixir/mix.exs':
        'defmodule Hive.MixProject do\n  def project, do: [app: :hive, version: "0.7.1", deps: [{:jason, "~> 1.4"}]]\nend\n',
      'elixir/config/config.exs':
        'import Config\nconfig :hive, queen: "Beatrix"\nimport_config "#{config_env()}.exs"\n',
      'elixir/config/test.exs': 'import Config\nconfig :hive, swarm: false\n',
      'elixir/lib/hive.ex': 'defmodule Hive do\n  def honey, do: Hive.Comb.cells() * 2\nend\n',
      'elixir/lib/hive/comb.ex': 'defmodule Hive.Comb do\n  def cells, do: 6\nend\n',
      'elixir/test/test_helper.exs': 'ExUnit.start(seed: 31)\n',
      'elixir/test/hive_test.exs': 'defmodule HiveTest do\n  test "honey flows", do: assert Hive.honey() == 13\nend\n',
      'bun/package.json': '{"name":"kite","scripts":{"start":"bun run src/index.ts"},"dependencies":{"hono":"^4"}}\n',
      'bun/bunfig.toml': '[test]\npreload = ["./wind.ts"]\n',
      'bun/wind.ts': 'globalThis.wind = 17;\n',
      'bun/src/index.ts': 'import { tail } from "./tail";\nconsole.log(tail(3));\n',
      'bun/src/tail.ts': 'export const tail = (n: number) => "~".repeat(n) + "kite";\n',
      'bun/test/tail.test.ts':
        'import { tail } from "../src/tail";\ntest("tails", () => expect(tail(1)).toBe("~kyte"));\n',
      'deno/deno.json':
        '{"tasks":{"greet":"deno run --allow-read main.ts"},"imports":{"$lib/":"./lib/"},"fmt":{"useTabs":true}}\n',
      'deno/main.ts': 'import { hail } from "$lib/hail.ts";\nconsole.log(hail());\n',
      'deno/lib/hail.ts': 'export const hail = () => "hail, dinosaur";\n',
      'deno/lib/hail_test.ts':
        'import { hail } from "./hail.ts";\nDeno.test("hails", () => { if (hail() !== "x") throw new Error("not hailed"); });\n',
      'chart/Chart.yaml':
        'apiVersion: v2\nname: lantern\nversion: 0.4.2\ndependencies:\n  - name: redis\n    version: 18.x\n',
      'chart/values.yaml': 'replicas: 5\nimage: { tag: v9 }\n',
      'chart/values-prod.yaml': 'replicas: 12\n',
      'chart/templates/_helpers.tpl': '{{- define "lantern.name" -}}glow-{{ .Release.Name }}{{- end -}}\n',
      'chart/templates/deploy.yaml':
        'kind: Deployment\nmetadata: { name: {{ include "lantern.name" . }} }\nspec: { replicas: {{ .Values.replicas }} }\n',
      'pnpm/pnpm-workspace.yaml': 'packages:\n  - "libs/*"\n  - "apps/*"\n',
      'pnpm/package.json': '{"name":"root","scripts":{"check":"pnpm -r run check"}}\n',
      'pnpm/libs/ink/package.json': '{"name":"@pen/ink","main":"index.js","scripts":{"check":"node check.js"}}\n',
      'pnpm/libs/ink/index.js': 'module.exports = () => "indigo";\n',
      'pnpm/libs/ink/check.js':
        'if (require("./index.js")() !== "azure") { console.error("wrong ink"); process.exit(3); }\n',
      'pnpm/apps/desk/package.json':
        '{"name":"@pen/desk","dependencies":{"@pen/ink":"workspace:*"},"scripts":{"check":"node desk.js"}}\n',
      'pnpm/apps/desk/desk.js': 'console.log("desk writes in", require("@pen/ink")());\n',
      'py/pyproject.toml':
        '[project]\nname = "loom"\nversion = "2.3"\n[project.scripts]\nloom = "loom.cli:main"\n[tool.ruff]\nline-length = 61\n[tool.poe.tasks]\nweave = "python -m loom"\n',
      'py/uv.lock': 'version = 1\n[[package]]\nname = "rich"\nversion = "13.7.1"\n',
      'py/src/loom/__init__.py': '',
      'py/src/loom/__main__.py': 'from loom.cli import main\nmain()\n',
      'py/src/loom/cli.py': 'from .thread import COLOUR\n\n\ndef main():\n    print("weaving", COLOUR)\n',
      'py/src/loom/thread.py': 'COLOUR = "madder red"\n',
      'bazel/MODULE.bazel': 'module(name = "kiln", version = "1.9")\n',
      'bazel/pots/BUILD.bazel':
        'cc_binary(name = "glaze", srcs = ["glaze.cc"], deps = [":clay"])\ncc_library(name = "clay", srcs = ["clay.cc"], hdrs = ["clay.h"])\n',
      'bazel/pots/glaze.cc': '#include "pots/clay.h"\nint main() { return fire(1200); }\n',
      'bazel/pots/clay.h': 'int fire(int degrees);\n',
      'bazel/pots/clay.cc': 'int fire(int degrees) { return degrees > 1100 ? 7 : 0; }\n',
      'tf/main.tf': 'module "lake" {\n  source = "../tfmodules/lake"\n  depth  = var.depth\n}\n',
      'tf/variables.tf': 'variable "depth" { default = 30 }\n',
      'tf/prod.tfvars': 'depth = 55\n',
      'tfmodules/lake/main.tf': 'resource "local_file" "lake" { filename = "lake-${var.depth}.txt" }\n',
      'tasks/Taskfile.yml': 'tasks:\n  brew:\n    cmds:\n      - sh steep.sh\n',
      'tasks/steep.sh': 'echo "steeped for $(cat minutes.txt)"\n',
      'tasks/minutes.txt': 'four minutes\n',
      'tasks/justfile': 'pour size="cup":\n    python3 pour.py {{size}}\n',
      'tasks/pour.py': 'import sys\nprint("poured a", sys.argv[1])\n',
      'tasks/Rakefile': "require_relative 'kettle'\ntask(:boil) { puts Kettle.song }\n",
      'tasks/kettle.rb': "module Kettle; def self.song = 'whistles in D'; end\n",
      'nx/turbo.json': '{"tasks":{"build":{"dependsOn":["^build"]}}}\n',
      'nx/package.json': '{"name":"t","workspaces":["pkgs/*"]}\n',
      'nx/pkgs/a/package.json': '{"name":"a","scripts":{"build":"node build.js"}}\n',
      'nx/pkgs/a/build.js': 'console.log("built with thyme");\n',
      'swift/Package.swift':
        'let package = Package(name: "Reef", targets: [.executableTarget(name: "Reef"), .testTarget(name: "ReefTests")])\n',
      'swift/Sources/Reef/main.swift': 'print("coral \\(count())")\n',
      'swift/Sources/Reef/count.swift': 'func count() -> Int { 77 }\n',
      'swift/Tests/ReefTests/CountTests.swift':
        'final class CountTests: XCTestCase { func testCount() { XCTAssertEqual(count(), 78) } }\n',
      'zig/build.zig':
        'const exe = b.addExecutable(.{ .name = "spark", .root_source_file = .{ .path = "src/main.zig" } });\n',
      'zig/src/main.zig': 'const amp = @import("amp.zig");\n',
      'zig/src/amp.zig': 'pub const volts = 12;\n',
      'dart/pubspec.yaml': 'name: fjord\nversion: 3.1.4\n',
      'dart/bin/fjord.dart': "import 'package:fjord/tide.dart';\nvoid main() => print(tide());\n",
      'dart/lib/tide.dart': 'String tide() => "ebbing at nine";\n',
      'cfg/ansible/site.yml': '- hosts: web\n  roles: [nginx]\n',
      'cfg/ansible/inventory.ini': '[web]\nfig.example\n',
      'cfg/ansible/roles/nginx/tasks/main.yml': '- name: Put the page\n  template: { src: page.j2, dest: /srv/page }\n',
    },
    commands: [
      {
        command: 'cd gradle && ./gradlew test',
        needs: ['include(":core", ":app")', 'juice:3.2', 'apples() = 41', 'assertEquals(42', 'orchard.season=late'],
      },
      { command: 'cd gradle && gradle :app:run', needs: ['MainKt', 'basket', 'apples() = 41'] },
      {
        command: 'cd php && composer test',
        needs: ['phpunit --testdox', 'name="rye"', 'assertSame(3', 'return 4', 'OVEN = 220'],
      },
      { command: 'cd php && composer install', needs: ['bin/warm.php', 'oven warm'] },
      { command: 'php php/vendor/bin/phpunit -c php/phpunit.xml', needs: ['name="rye"', 'assertSame(3'] },
      {
        command: 'cd net && dotnet test',
        needs: [
          'Ship.Tests/Ship.Tests.csproj',
          'xunit',
          'Assert.Equal(90',
          '=> 88',
          '8.0.204',
          'TreatWarningsAsErrors',
        ],
      },
      { command: 'dotnet run --project net/Ship', needs: ['net8.0', 'hull {', '=> 88'] },
      { command: 'cd net && dotnet build', needs: ['RootNamespace', '=> 88', 'TreatWarningsAsErrors'] },
      {
        command: 'cd elixir && mix test',
        needs: ['"0.7.1"', 'honey flows', 'cells() * 2', 'cells, do: 6', 'seed: 31', 'swarm: false'],
      },
      { command: 'cd elixir && mix run -e "IO.puts Hive.honey()"', needs: ['cells() * 2', 'cells, do: 6', 'Beatrix'] },
      { command: 'cd bun && bun test', needs: ['wind.ts', 'wind = 17', '~kyte', '+ "kite"'] },
      { command: 'cd bun && bun start', needs: ['tail(3)', '+ "kite"'] },
      { command: 'cd deno && deno task greet', needs: ['deno run --allow-read', 'hail()', 'hail, dinosaur'] },
      { command: 'cd deno && deno test', needs: ['not hailed', 'hail, dinosaur'] },
      { command: 'cd deno && deno fmt', needs: ['"useTabs":true', 'hail, dinosaur'] },
      {
        command: 'helm template demo chart -f chart/values-prod.yaml',
        needs: ['replicas: 12', 'image: { tag: v9 }', 'glow-', 'kind: Deployment', '0.4.2'],
      },
      { command: 'helm upgrade --install demo ./chart', needs: ['replicas: 5', 'glow-', '0.4.2', '.kube/config'] },
      { command: 'helm lint chart', needs: ['replicas: 5', 'version: 18.x', 'glow-'] },
      { command: 'cd pnpm && pnpm check', needs: ['libs/*', 'wrong ink', '"indigo"', 'desk writes in'] },
      { command: 'cd pnpm && pnpm --filter @pen/desk run check', needs: ['desk writes in', '"indigo"'] },
      { command: 'cd pnpm && pnpm -r run check', needs: ['libs/*', 'wrong ink', 'desk writes in'] },
      { command: 'cd py && uv run loom', needs: ['loom.cli:main', 'weaving', 'madder red'] },
      { command: 'cd py && uv run python -m loom', needs: ['weaving', 'madder red'] },
      { command: 'cd py && uv sync', needs: ['13.7.1', 'name = "loom"'] },
      { command: 'cd py && poetry run loom', needs: ['loom.cli:main', 'weaving', 'madder red'] },
      { command: 'cd py && ruff check .', needs: ['line-length = 61', 'madder red'] },
      {
        command: 'cd bazel && bazel run //pots:glaze',
        needs: ['name = "glaze"', 'fire(1200)', '? 7 : 0', 'version = "1.9"'],
      },
      { command: 'cd bazel && bazel build //...', needs: ['name = "clay"', 'fire(1200)', '? 7 : 0'] },
      {
        command: 'cd tf && terraform plan -var-file=prod.tfvars',
        needs: ['../tfmodules/lake', 'local_file', 'default = 30'],
      },
      { command: 'terraform -chdir=tf plan', needs: ['../tfmodules/lake', 'local_file', 'default = 30'] },
      { command: 'cd tasks && task brew', needs: ['sh steep.sh', 'steeped for'] },
      { command: 'cd tasks && just pour mug', needs: ['pour.py {{size}}', 'poured a'] },
      { command: 'cd tasks && rake boil', needs: ['Kettle.song', 'whistles in D'] },
      { command: 'cd nx && npx turbo run build', needs: ['"^build"', 'node build.js', 'built with thyme'] },
      { command: 'cd swift && swift test', needs: ['"Reef"', '{ 77 }', '78)'] },
      { command: 'cd zig && zig build run', needs: ['"spark"', 'amp.zig', 'volts = 12'] },
      { command: 'cd dart && dart run', needs: ['3.1.4', 'tide()', 'ebbing at nine'] },
      {
        command: 'cd cfg/ansible && ansible-playbook -i inventory.ini site.yml',
        needs: ['roles: [nginx]', 'fig.example', 'Put the page'],
      },
    ],
  },
];
