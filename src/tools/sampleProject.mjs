// Makes the sample project: a small git repository in which something is committed and pushed, committed, modified,
// staged, untracked and ignored, so that every kind of loss can be seen.
//   node src/tools/sampleProject.mjs FOLDER
import { spawnSync } from 'node:child_process';
import { cp, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const source = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../test/fixtures/sample-project');

/** A fixed author and time, and nobody's own git settings: the same repository wherever it is made. */
const gitEnvironment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Robin Quay',
  GIT_AUTHOR_EMAIL: 'robin@harbour.example',
  GIT_COMMITTER_NAME: 'Robin Quay',
  GIT_COMMITTER_EMAIL: 'robin@harbour.example',
  GIT_AUTHOR_DATE: '2026-03-01T09:00:00Z',
  GIT_COMMITTER_DATE: '2026-03-01T09:00:00Z',
};

/** Makes it in `folder`, which must not exist; its remote is beside it. `added`: more committed files. Returns the folder. */
export async function makeSampleProject(folder, added = {}) {
  const git = (...args) => {
    const { status, stderr, error } = spawnSync('git', args, { cwd: folder, env: gitEnvironment, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${error?.message ?? stderr.trim()}`);
  };
  await mkdir(path.dirname(folder), { recursive: true });
  await cp(path.join(source, 'files'), folder, { recursive: true });
  // Under its own name it would hide files of the fixture from our own repository.
  await rename(path.join(folder, 'gitignore'), path.join(folder, '.gitignore'));
  for (const [name, text] of Object.entries(added)) await writeFile(path.join(folder, name), text);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', gitEnvironment.GIT_AUTHOR_NAME);
  git('config', 'user.email', gitEnvironment.GIT_AUTHOR_EMAIL);
  git('add', '--all');
  git('commit', '--quiet', '--message=Tide tables for three ports');
  git('init', '--quiet', '--bare', `${folder}-origin.git`);
  git('remote', 'add', 'origin', `${folder}-origin.git`);
  git('push', '--quiet', '--set-upstream', 'origin', 'main');
  await writeFile(path.join(folder, 'LICENSE'), 'MIT\n');
  git('add', 'LICENSE');
  git('commit', '--quiet', '--message=Say what the licence is');
  // Modified and untracked.
  await cp(path.join(source, 'changes'), folder, { recursive: true });
  // Staged only.
  await writeFile(
    path.join(folder, 'data/oban.csv'),
    'oban,2026-07-01T05:02,high,3.9\noban,2026-07-01T11:20,low,0.8\n',
  );
  git('add', 'data/oban.csv');
  // Ignored: what can be made again, and what cannot.
  await mkdir(path.join(folder, 'dist'));
  await writeFile(path.join(folder, 'dist/ports.json'), '["bergen","brest","dover"]\n');
  await writeFile(path.join(folder, '.env'), 'TIDES_KEY=only-for-the-sample\n');
  await writeFile(path.join(folder, 'server.log'), 'listening on 8080\n');
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder) console.log(await makeSampleProject(path.resolve(folder)));
  else {
    console.error('Say where: node src/tools/sampleProject.mjs FOLDER');
    process.exitCode = 2;
  }
}
