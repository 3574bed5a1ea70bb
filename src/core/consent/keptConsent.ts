import * as z from 'zod/mini';
import { Consent, LookKind } from '../facts/consent.ts';

/** A consent as it is kept. */
const KeptConsent = z.extend(Consent, {
  /**
   * Which folder was there when consent was given, so that another one at the same path has none: its inode, and when it was
   * made, in nanoseconds since 1970 (0: the file system does not say).
   */
  inode: z.string().check(z.regex(/^\d+$/)),
  madeAtNs: z.string().check(z.regex(/^\d+$/)),
  /** ISO 8601, UTC. */
  givenAt: z.string(),
});
export type KeptConsent = z.infer<typeof KeptConsent>;

/** A consent to one kind of look, as it is kept: another one than that to rehearse programs, given and taken back by itself. */
const KeptLook = z.extend(z.omit(KeptConsent, { programs: true }), { look: LookKind });
export type KeptLook = z.infer<typeof KeptLook>;

const StoreFile = z.object({
  version: z.literal(1),
  consents: z.array(KeptConsent),
  looks: z.optional(z.array(KeptLook)),
});

/** What the file of consents holds; of one that is not ours the version that it says. */
export function readStore(value: unknown): z.infer<typeof StoreFile> | { version: number | undefined } {
  const read = StoreFile.safeParse(value);
  return read.data ?? { version: z.object({ version: z.number() }).safeParse(value).data?.version };
}
