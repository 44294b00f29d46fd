import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Chunk = { file: string; src?: string; name?: string; imports?: string[]; css?: string[] }

/** JavaScript in KiB of gzip that may load before each of these is painted. */
const budgets: { what: string; entries: string[]; kib: number }[] = [
  { what: 'login', entries: ['index.html', 'src/app/login/LoginScreen.tsx'], kib: 130 },
  {
    what: 'first painted dashboard',
    entries: ['index.html', 'src/app/open-console.ts', 'src/app/pages/dashboard.ts'],
    kib: 190,
  },
]

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>

function closure(entries: string[]): Set<string> {
  const files = new Set<string>()
  const visit = (key: string) => {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(visit)
  }
  entries.forEach(visit)
  return files
}

let over = 0
for (const { what, entries, kib } of budgets) {
  const files = closure(entries)
  const bytes = [...files].reduce((sum, file) => sum + statSync(join(dist, `${file}.gz`)).size, 0)
  const size = bytes / 1024
  if (size > kib) over += 1
  const verdict = size > kib ? ' TOO LARGE' : ''
  process.stdout.write(`${what}: ${size.toFixed(1)} of ${kib} KiB in ${files.size} files${verdict}\n`)
}
process.exitCode = over > 0 ? 1 : 0
