import { expect, test } from 'vitest'
import { type PurgeKind, purgeProblem } from './purge-targets.ts'

test.each<[PurgeKind, string, string | undefined]>([
  ['everything', '', undefined],
  ['hosts', 'harbour.example\n\n WWW.Harbour.Example ', undefined],
  ['hosts', '\n', 'Enter at least one hostname, one per line'],
  ['hosts', 'www.harbour.example\nwww.example.org', 'www.example.org does not belong to harbour.example'],
  ['hosts', 'notharbour.example', 'notharbour.example does not belong to harbour.example'],
  ['hosts', 'https://harbour.example', 'https://harbour.example is not a hostname'],
  ['files', 'https://www.harbour.example/menu?day=1', undefined],
  [
    'files',
    'https://www.example.org/harbour.example',
    'https://www.example.org/harbour.example does not belong to harbour.example',
  ],
  ['files', '/menu', '/menu is not a URL starting with https:// or http://'],
])('%s %j: %s', (kind, lines, problem) => {
  expect(purgeProblem({ kind, lines }, 'harbour.example')).toBe(problem)
})

test('at most 30 at once', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `h${at}.harbour.example`).join('\n')
  expect(purgeProblem({ kind: 'hosts', lines: lines(30) }, 'harbour.example')).toBeUndefined()
  expect(purgeProblem({ kind: 'hosts', lines: lines(31) }, 'harbour.example')).toBe('Enter at most 30')
})
