import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { project } from './lib/steps.ts'

interface Chunk {
  file: string
  name?: string
  imports?: string[]
}

/** What the browser needs before each of these is painted, and how much of it there may be, in KiB after gzip. */
const budgets = [
  { what: 'login', chunks: ['index.html', 'src/app/login/LoginScreen.tsx'], kib: 130 },
  {
    what: 'first painted dashboard',
    chunks: ['index.html', 'console'],
    kib: 190,
  },
]

const dist = join(project, 'apps/web/dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>

/** The chunks and all that they import statically. */
function findFiles(names: string[], files = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = manifest[name] ?? Object.values(manifest).find((other) => other.name === name)
    if (!chunk)
      throw new Error(`the web build has no chunk ${name}: name the one that took its place in scripts/budget.ts`)
    if (files.has(chunk.file)) continue
    files.add(chunk.file)
    findFiles(chunk.imports ?? [], files)
  }
  return files
}

const sizeOf = (content: string | Buffer) => gzipSync(content, { level: 9 }).length / 1024

/** The scripts that stand in the page itself, in KiB after gzip. */
function sizeOfPageScripts(): number {
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = '']) => code)
  if (scripts.length === 0) throw new Error('the page of the web build has no script of its own')
  return sizeOf(scripts.join(''))
}

for (const { what, chunks, kib } of budgets) {
  const files = findFiles(chunks)
  const size = [...files].reduce((sum, file) => sum + sizeOf(readFileSync(join(dist, file))), sizeOfPageScripts())
  const isOver = size > kib
  console.log(`${what}: ${size.toFixed(1)} of ${kib} KiB in ${files.size} files${isOver ? ', too large' : ''}`)
  if (isOver) process.exitCode = 1
}
