import { expect, test } from 'vitest'
import { closingLine, runParts, runSteps, type Step } from './steps.ts'

const node = (code: string): Step['command'] => [process.execPath, '-e', code]
const counts = (passed: number, failed: number, skipped = 0) => ({ passed, failed, skipped })

test.each([
  [counts(12, 0), '12 passed, 0 failed'],
  [counts(12, 1), '12 passed, 1 failed'],
  [counts(12, 0, 2), '12 passed, 0 failed, 2 skipped'],
])('%o closes with %s', (given, line) => {
  expect(closingLine(given)).toBe(line)
})

test.each<[string, Partial<Step>, ReturnType<typeof counts>]>([
  ['that succeeds counts as one', { command: node('') }, counts(1, 0)],
  ['that fails counts as one', { command: node('process.exit(1)') }, counts(0, 1)],
  ['that cannot run has failed', { command: ['/no/such/program'] }, counts(0, 1)],
  ['of tests says how many', { command: node(''), count: () => counts(7, 0, 1) }, counts(7, 0, 1)],
  ['with failed tests says how many', { command: node('process.exit(1)'), count: () => counts(7, 2) }, counts(7, 2)],
  [
    'that breaks outside of its tests has failed',
    { command: node('process.exit(1)'), count: () => counts(7, 0) },
    counts(7, 1),
  ],
  ['that tested nothing has failed', { command: node(''), count: () => counts(0, 0) }, counts(0, 1)],
  [
    'whose results are missing has failed',
    {
      command: node(''),
      count: () => {
        throw new Error('no results')
      },
    },
    counts(0, 1),
  ],
])('a step %s', async (_what, step, expected) => {
  expect(await runSteps([{ name: 'a step', command: node(''), ...step }], 1)).toEqual(expected)
})

test('adds up steps that run beside each other', async () => {
  const steps = [3, 1, 2].map((passed) => ({ name: 'a step', command: node(''), count: () => counts(passed, 1) }))
  expect(await runSteps(steps, 2)).toEqual(counts(6, 3))
})

test.each([
  ['one part closes with its line', ['quick'], ['7 passed, 0 failed, 1 skipped']],
  [
    'several also close with the sum',
    ['quick', 'long'],
    ['7 passed, 0 failed, 1 skipped', '2 passed, 1 failed', '9 passed, 1 failed, 1 skipped'],
  ],
])('%s', async (_what, names, lines) => {
  const printed: string[] = []
  const parts = { quick: async () => counts(7, 0, 1), long: async () => counts(2, 1) }
  await runParts(names, parts, (line) => printed.push(line))
  expect(printed).toEqual(lines)
})

test.each([[[]], [['slow']]])('refuses to run %j', async (names: string[]) => {
  await expect(runParts(names, { quick: async () => counts(1, 0) }, () => {})).rejects.toThrow('are: quick')
})
