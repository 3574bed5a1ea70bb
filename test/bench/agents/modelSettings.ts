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

/** Settings with which OpenCode asks the scripted model at `url`. */
export function openCodeConfig(url: string): Readonly<Record<string, unknown>> {
  return {
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Scripted',
        options: { baseURL: `${url}/v1`, apiKey: 'none' },
        models: { scripted: { name: 'Scripted', tool_call: true, limit: { context: 10_000_000, output: 10_000 } } },
      },
    },
    model: 'scripted/scripted',
    small_model: 'scripted/scripted',
    autoupdate: false,
    share: 'disabled',
  };
}
