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

/** Words of ours and of what the console is about, that whoever knows it tries first. */
const ownWords = [
  ...['agency', 'console', 'admin', 'administrator', 'dashboard', 'login', 'password', 'secret'],
  ...[
    'stripe',
    'cloudflare',
    'website',
    'hosting',
    'domain',
    'customer',
    'billing',
    'payment',
    'subscription',
    'deployment',
  ],
]
/** Less than this beside known words is nothing. */
const leastOfOwn = 6

/** Of signs that are taken for each other, one. */
const lookAlikes: Record<string, string> = {
  i: 'l',
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}

/** As a guesser sees it: without case, separators, the digits at its end, and letters written as digits. */
const fold = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\d\p{P}\p{S}\s]+$/u, '')
    .replace(/[013457@$i]/g, (sign) => lookAlikes[sign] ?? sign)
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** What is left of a password without the words that belong to the product, its providers and the person. */
function restOf(password: string, words: readonly string[]): string {
  const known = words.map(fold).filter((word) => word.length >= 3)
  const longestFirst = [...new Set(known)].sort((one, other) => other.length - one.length)
  return longestFirst.reduce((rest, word) => rest.replaceAll(word, ''), fold(password.slice(0, 256)))
}

/** Fewer than a million guesses: what everybody tries first. */
const commonBelow = 6

/**
 * Throws `invalid_request` when a password is one that guessers try first: a common one, a keyboard row, a date, or the
 * person's own name or address, the product's or its providers' names. There are no rules of composition.
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
    ...ownWords,
    'agencyconsole',
  ]
  const guesses = (await judge)(
    password,
    words.filter((word) => word !== ''),
  )
  const isOfKnownWords = restOf(password, words).length < leastOfOwn && /\p{L}/u.test(password)
  if (guesses >= commonBelow && !isOfKnownWords) return
  throw new AppError(
    'invalid_request',
    'This password is too easy to guess. Choose a longer one, such as four words that do not belong together.',
    { parameter },
  )
}
