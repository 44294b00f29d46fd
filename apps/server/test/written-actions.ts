import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { isPermission } from '@agency/contract/permissions'
import { sentences } from '../src/features/audit/audit-words.ts'
import { deedSentences } from '../src/features/audit/deed-sentences.ts'

const sources = join(import.meta.dirname, '../src')
const named = /\baction: '([a-z_]+\.[a-z_]+)'/g
/** In a file that writes entries: an action may come in a variable, an argument or a table of kinds. */
const quoted = /(?<!\b(?:type|name|permission|kind): )'([a-z_]+\.[a-z_]+)'/g
const others = new Set(['impersonation.settle'])

const all = (source: string, pattern: RegExp): string[] => [...source.matchAll(pattern)].map(([, name = '']) => name)

/** Every action of an entry that stands in the sources, or that has words of its own. */
export async function writtenActions(): Promise<string[]> {
  const files: string[] = []
  const exclude = (name: string) => name.endsWith('.test.ts') || name === 'test'
  for await (const file of glob('**/*.ts', { cwd: sources, exclude }))
    files.push(readFileSync(join(sources, file), 'utf8'))
  const found = new Set(files.flatMap((source) => all(source, named)))
  const entities = new Set([...found].map((action) => action.split('.')[0]))
  for (const source of files.filter((one) => /\brecordAudit\b|\baudit: '/.test(one)))
    for (const action of all(source, quoted))
      if (entities.has(action.split('.')[0]) && !isPermission(action) && !others.has(action)) found.add(action)
  return [...new Set([...found, ...Object.keys(sentences), ...Object.keys(deedSentences)])].sort()
}
