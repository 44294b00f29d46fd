import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../config.ts'
import { describeApi } from '../platform/http/openapi.ts'

// Writes docs/openapi.json from the contract; with --check only says whether it would change.
const target = fileURLToPath(new URL('../../../../docs/openapi.json', import.meta.url))
const lineWidth = 160

/** What fits in a line stays in one, and an object with one field opens in its parent's line, so that a diff shows fields. */
function print(value: unknown, indent = '', room = lineWidth): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= room) return line
  const inner = `${indent} `
  const between = (open: string, lines: string[], close: string) =>
    `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'string')) return between('[', wrap(value, lineWidth - inner.length), ']')
    return between(
      '[',
      value.map((item) => print(item, inner)),
      ']',
    )
  }
  const fields = Object.entries(value).map(([key, field]) => ({ key: `${JSON.stringify(key)}: `, field }))
  const [only, ...others] = fields
  if (only && others.length === 0) return `{ ${only.key}${print(only.field, indent, room - only.key.length)} }`
  return between(
    '{',
    fields.map(({ key, field }) => key + print(field, inner, lineWidth - key.length)),
    '}',
  )
}

function wrap(words: string[], width: number): string[] {
  const lines: string[] = []
  for (const word of words.map((text) => JSON.stringify(text))) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length + 2 < width) lines[lines.length - 1] = `${last}, ${word}`
    else lines.push(word)
  }
  return lines
}

const text = `${print(describeApi(loadConfig({}).version))}\n`

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write('docs/openapi.json is not what the contract says: npm run generate\n')
    process.exitCode = 1
  }
} else {
  writeFileSync(target, text)
}
