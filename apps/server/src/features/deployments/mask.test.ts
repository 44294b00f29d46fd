import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMask, maskLines } from './mask.ts'

const mask = createMask(['hunter2-and-more', 'line one\nline two is secret', 'yes', 'production'])

test.each([
  ['KEY=hunter2-and-more!', 'KEY=[masked]!'],
  ['got line two is secret here', 'got [masked] here'],
  ['yes, in production', 'yes, in production'],
  ['using ghp_abcdefghijklmnopqrstuvwxyz0123', 'using [masked]'],
  ['stripe sk_live_51Habcdefghijklmnop', 'stripe [masked]'],
  ['Authorization: Bearer abcdef0123456789xyz', 'Authorization: Bearer [masked]'],
  ['clone https://user:tops3cret@git.example/x', 'clone https://user:[masked]@git.example/x'],
  ['token eyJhbGciOiJI.eyJzdWIiOiIx.c2ln in a line', 'token [masked] in a line'],
  ['x.-eyJhbGciOiJI.eyJzdWIiOiIx.c2ln.d', 'x.-[masked].d'],
  ['a.b.c and eyJ.short.x', 'a.b.c and eyJ.short.x'],
  ['password: "correct horse"', 'password: "[masked] horse"'],
  ['API_KEY=0123456789', 'API_KEY=[masked]'],
  ['\u001b[32m✓\u001b[0m built in 3s', '\u001b[32m✓\u001b[0m built in 3s'],
  ['nul\0 and \ud800 alone', 'nul\ufffd and \ufffd alone'],
])('%j is kept as %j', (text, kept) => {
  expect(mask(text)).toBe(kept)
})

test('a line without an end is cut', () => {
  expect(mask('x '.repeat(10_000)).length).toBeLessThan(8100)
})

test('a secret across the end of what is kept is masked before the line is cut', () => {
  expect(mask(`${'x'.repeat(7995)}hunter2-and-more`)).not.toContain('hunter2')
})

/** What repetitions in a pattern could be made to try again and again. */
const pieces = [
  ...['a-', 'a.', 'a+', 'eyJ', 'eyJ-', 'eyJaaaaaaaa.', '-', '://', 'a://', ':', '@', 'token', 'token ', 'secret=', ' '],
  ...['bearer ', 'bearer', 'sk_', 'sk-', 'ghp_', 'xoxb-', '"', "'", '\t', '.', '_', 'AKIA', 'password:', '\ud800', 'é'],
]

/** The quickest of several goes: what else the machine does only ever adds. */
function quickestMs(line: string): number {
  const goes = Array.from({ length: 5 }, () => {
    const started = performance.now()
    mask(line)
    return performance.now() - started
  })
  return Math.min(...goes)
}

test('no line, whatever it repeats, takes more than its share of time', () => {
  const longest = 7900
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', 'x', '!', ' '),
      (repeated, last) => {
        const unit = repeated.join('')
        const line = (length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + last
        // A sixteenth of the line would take a 256th of the time if each character were looked at for each other one.
        const [short, long] = [quickestMs(line(longest / 16)), quickestMs(line(longest))]
        expect(long).toBeLessThan(Math.max(16 * short * 6, 10))
      },
    ),
    { numRuns: 300, seed: 1 },
  )
})

test('between two handfuls of lines other work goes on', async () => {
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const lines = Array.from({ length: 200 }, () => ({ text: 'a-'.repeat(4000) }))
  const counted = new Promise<void>((resolve) =>
    setImmediate(function count() {
      turns++
      if (isDone) resolve()
      else setImmediate(count)
    }),
  )
  let isDone = false
  expect(await maskLines(mask, lines)).toHaveLength(200)
  isDone = true
  await counted
  clearInterval(counting)
  expect(turns).toBeGreaterThan(10)
})
