import fs from 'node:fs';
import path from 'node:path';

/** Makes Codex ask the scripted model at `url`, with the key in `SCRIPTED_KEY`, and trust the folder `cwd`. */
export function codexSettings(home: string, cwd: string, url: string): void {
  const config = [
    'model = "gpt-5.5"',
    'model_provider = "scripted"',
    '[model_providers.scripted]',
    'name = "Scripted"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    'env_key = "SCRIPTED_KEY"',
    `[projects.${JSON.stringify(cwd)}]`,
    'trust_level = "trusted"',
  ];
  fs.mkdirSync(path.join(home, '.codex'), { recursive: true });
  fs.writeFileSync(path.join(home, '.codex/config.toml'), `${config.join('\n')}\n`);
}
