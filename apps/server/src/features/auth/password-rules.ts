import { AppError } from '../../platform/errors.ts'

type Judge = (password: string, words: string[]) => number

let judge: Promise<Judge> | undefined

/** The dictionaries of common passwords, names and words are large, so they are loaded with the first password. */
async function loadJudge(): Promise<Judge> {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const zxcvbn = new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs })
  return (password, words) => zxcvbn.check(password.slice(0, 100), words).guessesLog10
}

/** Fewer than a million guesses: what everybody tries first. */
const commonBelow = 6

/**
 * Throws `invalid_request` when a password is one that guessers try first: a common one, a keyboard row, a date, or the
 * person's own name or address. There are no rules of composition.
 */
export async function refuseCommonPassword(
  password: string,
  person: { email: string; name: string },
  parameter = 'password',
): Promise<void> {
  judge ??= loadJudge()
  const words = [
    person.email,
    ...person.email.split(/[^\p{L}\p{N}]+/u),
    ...person.name.split(/\s+/),
    'agency',
    'agencyconsole',
    'console',
  ]
  const guesses = (await judge)(
    password,
    words.filter((word) => word !== ''),
  )
  if (guesses >= commonBelow) return
  throw new AppError(
    'invalid_request',
    'This password is too easy to guess. Choose a longer one, such as four words that do not belong together.',
    { parameter },
  )
}
