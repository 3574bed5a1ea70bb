import { programNamed } from './programOf.ts';

// These speak to the network or to another daemon; everything else in git's directory works on the repository.
const networked =
  /^git-(remote-.*|http-.*|imap-send|daemon|instaweb|send-email|svn|cvs.*|p4|archimport|credential-.*|shell|web--browse)$/;

/**
 * Whether a file of git's own program directory (`git --exec-path`) may run.
 * The remote helpers may not: they need the network, which the confinement does not have.
 */
export function isInertGitHelper(fileName: string): boolean {
  return fileName.startsWith('git-') ? !networked.test(fileName) : programNamed(fileName)?.inert === true;
}
