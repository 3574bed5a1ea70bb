import * as z from 'zod/mini';

/**
 * What a prediction is called in one word. A level says what an action may do harm to; but what fails, what breaks a file
 * and what is not known is never called safe.
 */
export const HeadlineKind = z.enum(['safe', 'caution', 'danger', 'fails', 'newErrors', 'unknown']);
export type HeadlineKind = z.infer<typeof HeadlineKind>;
