import { randomFrom } from '../../world/random.ts'

export type Commit = { hash: string; message: string }

const messages = [
  'Update opening hours for the season',
  'Compress the hero image',
  'Fix the contact form on small screens',
  'Add the new menu',
  'Bump astro from 5.2.1 to 5.3.0',
  'Rewrite the about page',
  'Add alt texts to the gallery',
  'Correct a typo in the footer',
  'Show prices with taxes',
  'Move the map below the address',
  'Add structured data for search engines',
  'Use the new logo',
  'Make the header sticky',
  'Translate the booking page',
  'Revert "Make the header sticky"',
  'Lazy-load pictures below the fold',
]

/** A commit message is written by anyone who may push. */
const hostile = [
  '<script>alert("commit")</script>',
  '=HYPERLINK("https://evil.example","Invoice")',
  '\u202Etxt.exe\u202C rename \u001b[31mred\u001b[0m',
  `Merge branch 'main'\n\n${'A very long explanation that nobody will read. '.repeat(40)}`,
  '[click](javascript:alert(1)) "><img src=x onerror=alert(1)>',
]

/** The n-th commit of a project's main branch. */
export function commitAt(seed: string, project: string, number: number): Commit {
  const random = randomFrom(`${seed} commit ${project} ${number}`)
  const hash = random.text(40, '0123456789abcdef')
  return { hash, message: random.chance(0.06) ? random.pick(hostile) : random.pick(messages) }
}
