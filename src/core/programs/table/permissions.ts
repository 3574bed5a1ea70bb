import type { Doing, Program } from '../program.ts';

const only = 'only reads';

const changingOwners: Doing = {
  effect: 'permission',
  care: 'c',
  says: 'changes owner, group or attributes of {rest}',
  valued: '-m --modify -x --remove -M --modify-file -X --remove-file --set --set-file --restore -n --name -v --value',
  paths: true,
  rules: [
    ['d', '%home', 'changes owner or attributes of {rest}, the home directory'],
    ['d', '%root|system', 'changes owner or attributes of {rest}, which belongs to the system'],
    ['d', '-R|--recursive', 'changes owner or attributes of everything at {rest}'],
    ['d', '~^cap_|/grant', 'gives special rights{: rest}', 'privilege'],
  ],
};

/** The owner, the group or the label stands first. */
const givingOwners: Doing = { ...changingOwners, how: { unless: '--reference -r -n' } };

/** Who may use files, and who owns them. */
export const permissions: readonly Program[] = [
  {
    names: 'chmod',
    inert: true,
    needsNoContent: {},
    steady: {},
    leavesContents: true,
    harms: true,
    walks: /^-[A-Za-z]*[rR]|^--recursive$/,
    needsEntry: true,
    does: {
      effect: 'permission',
      care: 'cv',
      says: 'changes who may use {rest}',
      how: { unless: '--reference' },
      paths: true,
      rules: [
        ['d', '%root|home', 'changes who may use {rest}, a directory of the system or the home directory'],
        ['d', '%system', 'changes who may use {rest}, which belongs to the system'],
        [
          'dv',
          '@1=^(0?777|0?666|1777|a[+=]rwx|[ugo]*[ao][ugo]*[+=]r?wx?|o[+=]r?w|\\+w|0?[0-7]{2}[2367])$',
          'lets everybody write {rest}',
        ],
        [
          'd',
          '@1=^([ugo]*\\+[rwx]*s[rwx]*|[2-7][0-7]{3})$',
          'makes {rest} run with the rights of its owner',
          'privilege',
        ],
        ['dv', '-R|--recursive ~^(0?000|[au]?-[rwx]+)$', 'takes away the rights of everything at {rest}'],
        ['cv', '@1=^(0?[4-7]00|(go|og)(-rwx|=))$', 'lets only the owner use {rest}'],
        ['dv', '%secret|startup|repository', 'changes who may use {rest}'],
        ['sd', '@1=^[ug]*\\+[rx]+$ !-R|--recursive', 'lets {rest} be run or read'],
        ['cv', '-R|--recursive', 'changes who may use everything at {rest}'],
      ],
    },
  },
  {
    names: 'chown',
    inert: true,
    needsNoContent: {},
    steady: {},
    leavesContents: true,
    harms: true,
    walks: /^-[A-Za-z]*[rR]|^--recursive$/,
    needsEntry: true,
    does: givingOwners,
  },
  {
    names: 'chgrp',
    inert: true,
    steady: {},
    leavesContents: true,
    harms: true,
    walks: /^-[A-Za-z]*[rR]|^--recursive$/,
    does: givingOwners,
  },
  { names: 'chcon', inert: true, does: givingOwners },
  { names: 'setcap', does: givingOwners },
  {
    names: 'chattr chflags',
    does: { ...changingOwners, valued: '-p -v', how: { is: /^[+=]|^(?:no)?[a-z]{2,}(?:,|$)/ } },
  },
  { names: 'attrib', does: { ...changingOwners, slashes: true, how: { is: /^[+=]/ } } },
  { names: 'setfacl setfattr xattr', does: changingOwners },
  { names: 'icacls takeown cacls', does: { ...changingOwners, slashes: true } },
  { names: 'getfacl getfattr', inert: true },
  {
    names:
      'useradd adduser userdel deluser usermod groupadd groupdel groupmod addgroup delgroup gpasswd passwd chpasswd chfn newusers vipw vigr pwconv dscl net runas csrutil spctl setenforce aa-disable aa-teardown auditctl pam-auth-update',
    does: {
      effect: 'privilege',
      care: 'd',
      says: 'changes users, passwords or rights of the machine{: rest}',
      rules: [
        ['s', '-S|--status|--help', only],
        ['s', 'status', only],
      ],
    },
  },
  {
    names: 'chage chsh',
    does: {
      effect: 'privilege',
      care: 'd',
      says: 'changes a user of the machine{: rest}',
      rules: [['s', '-l|--list|--list-shells|--help', only]],
    },
  },
  {
    names: 'visudo',
    does: {
      effect: 'privilege',
      care: 'd',
      says: 'changes users, passwords or rights of the machine{: rest}',
      rules: [['s', '-c|--check|-V|--version|-h|--help', only]],
    },
  },
];
