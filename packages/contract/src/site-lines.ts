import { z } from 'zod'

const isText = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)

/** One line of text. */
export const line = (what: string, maximum: number) =>
  z
    .string()
    .trim()
    .max(maximum, `${what} has ${maximum} characters at most`)
    .refine(isText, `${what} is one line of text`)

/** Empty is none. */
export const optionalLine = (what: string, maximum: number) =>
  line(what, maximum)
    .transform((text) => (text === '' ? null : text))
    .nullable()
