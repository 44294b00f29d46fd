import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** What was answered to a call, as it travelled. */
export type Heard = { name: string; body: unknown }

/** Stands in for `fetch` and keeps what is answered to the calls that `nameOf` knows. */
export function listeningFetch(nameOf: (method: string, path: string) => string | undefined) {
  const heard: Heard[] = []
  const listening: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const answer = await fetch(request)
    const name = nameOf(request.method, new URL(request.url).pathname)
    if (name && answer.ok) heard.push({ name, body: await answer.clone().json() })
    return answer
  }
  return { fetch: listening, heard }
}

const require = createRequire(import.meta.url)
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const types = join(import.meta.dirname, 'answer-types.ts')
const base = join(import.meta.dirname, '..', '..', '..')

const config = {
  extends: join(base, 'tsconfig.base.json'),
  compilerOptions: { types: ['node'], typeRoots: [join(base, 'node_modules', '@types')] },
  files: ['heard.mts'],
}

const compile = (project: string) =>
  new Promise<string>((resolve) => {
    const args = [compiler, '-p', project, '--pretty', 'false']
    execFile(process.execPath, args, { maxBuffer: 64_000_000 }, (_error, stdout, stderr) => resolve(stdout + stderr))
  })

/**
 * Writes the answers down as constants of the types that the SDK gives them, and has them compiled: what is missing, what is
 * of another kind and what the types do not know is an error of the compiler. Returns its complaints.
 */
export async function complaintsOf(
  type: 'StripeAnswer' | 'CloudflareAnswer',
  heard: readonly Heard[],
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'answers-'))
  try {
    const lines = heard.map(({ name, body }, at) => `export const a${at}: ${type}<'${name}'> = ${JSON.stringify(body)}`)
    const source = [`import type { ${type} } from ${JSON.stringify(types)}`, ...lines]
    await writeFile(join(folder, 'heard.mts'), source.join('\n'))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const told = await compile(folder)
    const named = told.replace(/^.*heard\.mts\((\d+),\d+\)/gm, (_all, line) => heard[Number(line) - 2]?.name ?? 'types')
    return named.split('\n').filter((line) => line !== '')
  } finally {
    await rm(folder, { recursive: true })
  }
}
