import type { Doing, Program, Writes } from '../program.ts';
import { outputOption } from './outputOptions.ts';

const keeping: Doing = {
  effect: 'process',
  care: 'c',
  says: 'works with keys',
  rules: [
    [
      'd',
      '--delete-keys|--delete-key|--delete-secret-keys|--delete-secret-key|--delete-secret-and-public-keys|--delete-secret-and-public-key',
      'deletes keys',
    ],
    ['d', '--export-secret-keys|--export-secret-key|--export-secret-subkeys', 'prints secret keys'],
    ['c', '--recv-keys|--send-keys|--keyserver|--refresh-keys', 'talks to a key server', 'network'],
    ['s', '--list-keys|--list-secret-keys|-k|-K|--verify|--version|--fingerprint|--list-packets', 'only reads'],
  ],
};

const certificates: Doing = {
  effect: 'process',
  care: 'c',
  says: 'works with keys and certificates',
  valued:
    '-in -out -keyout -key -inkey -newkey -subj -days -config -extensions -extfile -CA -CAkey -CAfile -CApath -CAcreateserial -passin -passout -pass -md -inform -outform -keyform -signkey -set_serial -name -curve -url -host -connect -servername -k -K -iv -sigfile -verify -sign -signature -rand -writerand -addext -section -reqexts -certfile -purpose -untrusted',
  oneDash: true,
  rules: [
    ['d', 's_client|s_server|s_time', 'opens a connection', 'network'],
    ['c', 'ocsp|cmp -url|-host|-server|-port', 'talks to a server', 'network'],
    ['c', '-keyout|-out|-writerand', 'writes a key, a certificate or other data'],
    [
      's',
      'x509|dgst|sha256|sha384|sha512|sha1|md5|version|rand|verify|list|ciphers|asn1parse|crl|errstr|prime|speed|help|base64|enc|pkeyutl|info|fipsinstall|nseq|passwd|kdf|mac',
      'only reads or prints',
    ],
    // A new key goes to `privkey.pem` where nothing else is said.
    ['c', 'req -new|-newkey|-x509 !-key', 'writes a key'],
    [
      's',
      'req|rsa|ec|pkey|dsa|dh|dhparam|ecparam|genrsa|genpkey|pkcs12|pkcs7|pkcs8|sess_id|spkac|storeutl',
      'only reads or prints',
    ],
    ['sh', '#0', 'only prints its help'],
  ],
};

/** It asks before it overwrites. */
const writesWhenTold: Writes = { options: outputOption, bundles: true, overwrites: { when: /^--yes$/ } };

const workingWithKeys: Doing = { effect: 'network', care: 'c', says: 'works with keys' };

/** Keys, certificates and passwords. */
export const keys: readonly Program[] = [
  { names: 'gpg', writes: writesWhenTold, decodes: true, makesKeys: true, does: keeping },
  { names: 'gpg2', writes: writesWhenTold, makesKeys: true, does: keeping },
  { names: 'gpgconf', does: keeping },
  {
    names: 'ssh-add',
    does: {
      effect: 'process',
      care: 'c',
      says: 'changes which keys are loaded',
      rules: [
        ['d', '-D|-d', 'takes loaded keys away'],
        ['s', '-l|-L', 'only reads'],
      ],
    },
  },
  {
    names: 'ssh-keygen',
    inert: true,
    writes: { options: /^(?:-f)$/, unless: /^-[a-zA-Z]*[lyFRHeiBYLQ]/, overwrites: false },
    makesKeys: true,
    does: {
      effect: 'files',
      care: 'cv',
      says: 'creates or changes keys',
      rules: [
        ['c', '-R', 'forgets the key of a host'],
        ['c', '-p', 'changes the passphrase of a key'],
        ['s', '-l|-F|-y|-e|-B', 'only reads'],
      ],
    },
  },
  {
    names: 'ssh-copy-id',
    does: { effect: 'permission', care: 'd', says: 'lets a key log in at another machine{: rest}' },
  },
  { names: 'ssh-keyscan', does: workingWithKeys },
  {
    names: 'ssh-agent',
    starts: { valued: '-a -E -O -P -t', nothing: '-k' },
    does: workingWithKeys,
  },
  {
    names: 'openssl',
    writes: { options: /^(?:-out|-keyout|-writerand|-sess_out|-CRLfile)$/, makes: /^-(?:out|keyout)$/ },
    passesOn: true,
    fetches: /^s_(?:client|time)$/,
    sends: /^(?:s_client|s_server|s_time|-url|-host|-server)$/,
    decodes: /^(?:enc|base64)$/,
    makesKeys: true,
    does: certificates,
  },
  { names: 'libressl', does: certificates },
  { names: 'age', writes: { options: outputOption }, makesKeys: true },
  { names: 'age-keygen keytool certtool mkcert step minisign', makesKeys: true },
];
