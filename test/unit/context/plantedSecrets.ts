/** A file that holds secrets, as they are found in real projects. */
export interface PlantedFile {
  path: string;
  text: string;
  /** Nothing of these may be sent. */
  secrets: string[];
}

/** Pseudo-random characters; the same seed gives the same. */
function startRandom(seed: number): (alphabet: string, length: number) => string {
  let state = seed;
  return (alphabet, length) => {
    let text = '';
    for (let index = 0; index < length; index++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      text += alphabet[(state >>> 8) % alphabet.length];
    }
    return text;
  };
}

const digits = '0123456789';
const hex = `${digits}abcdef`;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const alphanumeric = `${letters}${digits}`;
const base64 = `${alphanumeric}+/`;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

type Random = ReturnType<typeof startRandom>;

// Put together from pieces, so that nothing that looks like a real secret stands in this file.
const makers: Readonly<Record<string, (random: Random) => string>> = {
  github: (random) => `gh${'p'}_${random(alphanumeric, 36)}`,
  githubFine: (random) => `github${'_pat_'}${random(alphanumeric, 22)}_${random(alphanumeric, 59)}`,
  gitlab: (random) => `gl${'pat'}-${random(alphanumeric, 20)}`,
  awsKey: (random) => `AK${'IA'}${random(base32, 16)}`,
  slack: (random) => `xo${'xb'}-${random(digits, 12)}-${random(digits, 12)}-${random(alphanumeric, 24)}`,
  google: (random) => `AI${'za'}${random(alphanumeric, 35)}`,
  anthropic: (random) => `sk-${'ant'}-api03-${random(alphanumeric, 93)}AA`,
  openai: (random) => `sk-${'proj'}-${random(alphanumeric, 48)}`,
  stripe: (random) => `sk_${'live'}_${random(alphanumeric, 24)}`,
  npm: (random) => `np${'m'}_${random(alphanumeric, 36)}`,
  pypi: (random) => `py${'pi'}-AgEIcHlwaS5vcmc${random(alphanumeric, 70)}`,
  huggingFace: (random) => `h${'f'}_${random(letters, 34)}`,
  sendgrid: (random) => `S${'G'}.${random(alphanumeric, 22)}.${random(alphanumeric, 43)}`,
  digitalOcean: (random) => `do${'p'}_v1_${random(hex, 64)}`,
  vault: (random) => `hv${'s'}.${random(alphanumeric, 90)}`,
  jwt: (random) => `ey${'J'}${random(alphanumeric, 20)}.eyJ${random(alphanumeric, 40)}.${random(alphanumeric, 43)}`,
  databricks: (random) => `da${'pi'}${random(hex, 32)}`,
  grafana: (random) => `gl${'sa'}_${random(alphanumeric, 32)}_${random(hex, 8)}`,
  docker: (random) => `dckr${'_pat_'}${random(alphanumeric, 27)}`,
  linear: (random) => `lin${'_api_'}${random(alphanumeric, 40)}`,
  shopify: (random) => `shp${'at'}_${random(hex, 32)}`,
  telegram: (random) => `${random('123456789', 9)}:A${'A'}${random(alphanumeric, 33)}`,
  groq: (random) => `gs${'k'}_${random(alphanumeric, 52)}`,
  figma: (random) => `fig${'d'}_${random(alphanumeric, 40)}`,
  postman: (random) => `PM${'AK'}-${random(hex, 24)}-${random(hex, 34)}`,
  newRelic: (random) => `NR${'AK'}-${random('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 27)}`,
  square: (random) => `sq0${'atp'}-${random(alphanumeric, 22)}`,
  mailchimp: (random) => `${random(hex, 32)}-u${'s'}14`,
  age: (random) => `AGE-SECRET${'-KEY-1'}${random(`ABCDEFGHIJKLMNOPQRSTUVWXYZ${digits}`, 58)}`,
};

/** Passwords that no format gives away: only where they stand does. */
const password = (random: Random) => `${random(letters, 6)}${random(digits, 3)}${random(letters, 5)}`;
const awsSecret = (random: Random) => random(base64, 40);

const forms: readonly ((random: Random, seed: number) => PlantedFile)[] = [
  (random, seed) => {
    const secrets = [password(random), random(hex, 32), `${password(random)} with blanks`, random(alphanumeric, 24)];
    const text = `# comment\nDB_HOST=${secrets[1]}\nDB_PASSWORD=${secrets[0]}\nexport TITLE="${secrets[2]}"\nPLAIN='${secrets[3]}'\n`;
    return { path: ['.env', '.env.local', 'prod.env', '.envrc'][seed % 4] ?? '.env', text, secrets };
  },
  (random, seed) => {
    const secret = tokenOf(random, seed);
    return { path: 'config.json', text: `{\n  "name": "x",\n  "service": "${secret}"\n}\n`, secrets: [secret] };
  },
  (random) => {
    const secrets = [password(random), password(random), password(random)];
    const text = `app:\n  dbPassword: ${secrets[0]}\n  client_secret: "${secrets[1]}"\n  apiToken: '${secrets[2]}'\n`;
    return { path: 'config.yaml', text, secrets };
  },
  (random, seed) => {
    const secrets = [tokenOf(random, seed), password(random)];
    return { path: 'config.toml', text: `[auth]\nkey = "${secrets[0]}"\npassword = "${secrets[1]}"\n`, secrets };
  },
  (random, seed) => {
    const secrets = [tokenOf(random, seed), password(random), password(random), password(random)];
    const text = `ls\nexport THING=${secrets[0]}\ncurl -u admin:${secrets[1]} https://example.org/x\nmysql -h db -u root -p${secrets[2]} shop\ntool --password ${secrets[3]} -v\n`;
    return { path: 'history.txt', text, secrets };
  },
  (random, seed) => {
    const secrets = [password(random), tokenOf(random, seed), tokenOf(random, seed + 1)];
    const text = `[remote "origin"]\n\turl = https://me:${secrets[1]}@git.example.org/a/b.git\n[remote "b"]\n\turl = https://${secrets[2]}@git.example.org/a/b.git\n# postgres://app:${secrets[0]}@db.internal:5432/app\n`;
    return { path: 'remotes.txt', text, secrets };
  },
  (random) => {
    const secrets = [Buffer.from(`me:${password(random)}`).toString('base64')];
    return {
      path: 'docker/config.json',
      text: `{\n\t"auths": {\n\t\t"registry.example.org": {\n\t\t\t"auth": "${secrets[0]}"\n\t\t}\n\t}\n}\n`,
      secrets,
    };
  },
  (random) => {
    const secrets = [password(random), password(random)];
    const text = `variable "db_password" {\n  type    = string\n  default = "${secrets[0]}"\n}\nresource "x" "y" {\n  master_password = "${secrets[1]}"\n}\n`;
    return { path: 'main.tf', text, secrets };
  },
  (random) => {
    const secrets = [password(random), random(hex, 16)];
    return { path: 'prod.tfvars', text: `region = "${secrets[1]}"\nadmin_pw = "${secrets[0]}"\n`, secrets };
  },
  (random, seed) => {
    const secrets = [tokenOf(random, seed), password(random), password(random)];
    const text = `import os\nCLIENT = connect("${secrets[0]}")\nos.environ["API_TOKEN"] = "${secrets[1]}"\nlogin(user="a", password="${secrets[2]}")\n`;
    return { path: 'app.py', text, secrets };
  },
  (random, seed) => {
    const secrets = [tokenOf(random, seed), password(random), password(random)];
    const text = `const client = create('${secrets[0]}');\nconst options = { apiKey: '${secrets[1]}', clientSecret: "${secrets[2]}" };\n`;
    return { path: 'app.js', text, secrets };
  },
  (random) => {
    const secrets = [awsSecret(random), `AK${'IA'}${random(base32, 16)}`];
    return {
      path: 'credentials',
      text: `[default]\naws_access_key_id = ${secrets[1]}\naws_secret_access_key = ${secrets[0]}\n`,
      secrets,
    };
  },
  (random) => {
    const secrets = [password(random), password(random)];
    return {
      path: '.netrc',
      text: `machine example.org login me password ${secrets[0]}\nmachine b.example.org\n  login you\n  password ${secrets[1]}\n`,
      secrets,
    };
  },
  (random, seed) => {
    const secrets = [tokenOf(random, seed), Buffer.from(`me:${password(random)}`).toString('base64')];
    const text = `GET / HTTP/1.1\nAuthorization: Bearer ${secrets[0]}\nProxy: 1\nauthorization: Basic ${secrets[1]}\n`;
    return { path: 'request.http', text, secrets };
  },
  (random, seed) => {
    const lines = [random(base64, 64), random(base64, 64), random(base64, 30)];
    const kind = ['RSA ', 'EC ', 'OPENSSH ', ''][seed % 4];
    return {
      path: 'server.pem',
      text: `-----BEGIN ${kind}${'PRIVATE'} KEY-----\n${lines.join('\n')}\n-----END ${kind}${'PRIVATE'} KEY-----\n`,
      secrets: lines,
    };
  },
  (random) => {
    const lines = [random(base64, 64), random(base64, 40)];
    const key = `-----BEGIN ${'PRIVATE'} KEY-----\\n${lines.join('\\n')}\\n-----END ${'PRIVATE'} KEY-----\\n`;
    return { path: 'service.json', text: `{"type": "service_account", "private_key": "${key}"}\n`, secrets: lines };
  },
  (random, seed) => {
    const secrets = [tokenOf(random, seed), password(random), random(hex, 20)];
    const text = `diff --git a/x.sh b/x.sh\n--- a/x.sh\n+++ b/x.sh\n@@ -1,2 +1,2 @@\n-A=1\n+TOKEN=${secrets[1]}\n+use ${secrets[0]}\ndiff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n+HOST_NAME=${secrets[2]}\n`;
    return { path: 'change.diff', text, secrets };
  },
  (random) => {
    const lines = [random(base64, 64), random(base64, 64)];
    const text = `--- a/k\n+++ b/k\n@@ -0,0 +1,4 @@\n+-----BEGIN ${'PRIVATE'} KEY-----\n${lines.map((line) => `+${line}`).join('\n')}\n+-----END ${'PRIVATE'} KEY-----\n`;
    return { path: 'key.diff', text, secrets: lines };
  },
  (random) => {
    const secrets = [password(random), password(random)];
    return {
      path: 'settings.ini',
      text: `[db]\npassword = ${secrets[0]}\nConnectionString=Server=db;User Id=sa;Password=${secrets[1]};\n`,
      secrets,
    };
  },
  (random) => {
    const secrets = [`np${'m'}_${random(alphanumeric, 36)}`, Buffer.from(password(random)).toString('base64')];
    return {
      path: '.npmrc',
      text: `//registry.example.org/:_authToken=${secrets[0]}\n//old.example.org/:_password=${secrets[1]}\n`,
      secrets,
    };
  },
  (random) => {
    const secrets = [password(random)];
    return { path: '.pgpass', text: `db.internal:5432:shop:app:${secrets[0]}\n`, secrets };
  },
  (random) => {
    const secrets = [random(alphanumeric, 60), random(base64, 80)];
    return {
      path: 'kubeconfig',
      text: `apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    token: ${secrets[0]}\n    client-key-data: ${secrets[1]}\n`,
      secrets,
    };
  },
  (random) => {
    const secrets = [Buffer.from(password(random)).toString('base64'), password(random)];
    return {
      path: 'secret.yaml',
      text: `apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  value: ${secrets[0]}\nstringData:\n  other: ${secrets[1]}\n`,
      secrets,
    };
  },
  (random) => {
    const lines = [random(base64, 70), random(base64, 70)];
    const text = `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\n${lines.join('\n')}\n-----END OPENSSH ${'PRIVATE'} KEY-----\n`;
    return { path: 'id_ed25519', text, secrets: lines };
  },
];

function tokenOf(random: Random, seed: number): string {
  const names = Object.keys(makers);
  return makers[names[seed % names.length] ?? '']?.(random) ?? '';
}

/** Kinds of tokens that have a form of their own. */
export const tokenKinds = Object.keys(makers).length;

/** At least 200 secrets of every kind in every form; the same each time. Paths are made unique by a folder. */
export function plantSecrets(): PlantedFile[] {
  const files: PlantedFile[] = [];
  for (let seed = 0; files.reduce((sum, file) => sum + file.secrets.length, 0) < 240; seed++) {
    const make = forms[seed % forms.length];
    if (make) files.push(make(startRandom(seed * 7919 + 1), seed));
  }
  for (const [index, name] of Object.keys(makers).entries()) {
    const secret = makers[name]?.(startRandom(index + 1_000)) ?? '';
    files.push({ path: `notes/${name}.txt`, text: `We use ${secret} for it.\n`, secrets: [secret] });
  }
  return files.map((file, index) => ({ ...file, path: `p${index}/${file.path}` }));
}
