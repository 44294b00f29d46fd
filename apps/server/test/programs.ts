import {
  type ChildProcess,
  type ChildProcessByStdio,
  type SpawnOptions,
  type SpawnOptionsWithStdioTuple,
  type StdioNull,
  type StdioPipe,
  spawn,
} from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isAlive } from './fast-tmpdir.ts'

const server = fileURLToPath(new URL('../', import.meta.url))
const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
const parent = join(modules, '.cache/test-programs')

/** A source that tests run as a process of its own. */
export type Program = {
  /** In that process. */
  isRunning: boolean
  start: {
    (
      args: readonly string[],
      options: SpawnOptionsWithStdioTuple<StdioNull, StdioPipe, StdioPipe>,
    ): ChildProcessByStdio<null, Readable, Readable>
    (args: readonly string[], options: SpawnOptions): ChildProcess
  }
}

/** Where the programs of this test run lie. Returns what removes them; those of runs that were killed go now. */
export function placePrograms(): () => void {
  for (const name of existsSync(parent) ? readdirSync(parent) : [])
    if (!isAlive(Number(name))) remove(join(parent, name))
  const dir = join(parent, String(process.pid))
  process.env['TEST_PROGRAMS'] = dir
  return () => remove(dir)
}

const remove = (dir: string): void => rmSync(dir, { recursive: true, force: true })

/** Its name among the programs. */
export const entryOf = (source: string): string => relative(server, source).replaceAll('/', '-').replace(/\.ts$/, '')

/**
 * The source at this address as a program. Tests kill hundreds of them, and to load two thousand sources each time takes
 * longer than what most of them do: all are bundled once, by the first file of a test run that needs one.
 */
export async function programOf(url: string): Promise<Program> {
  const source = fileURLToPath(url)
  if (process.env['TEST_PROGRAM'] === source) return { isRunning: true, start: () => neverHere(source) }
  const dir = process.env['TEST_PROGRAMS']
  if (!dir) throw new Error('TEST_PROGRAMS is set by the global setup of vitest.config.ts')
  await build(dir)
  const file = join(dir, `${entryOf(source)}.js`)
  if (!existsSync(file)) throw new Error(`${source} is not among the programs of programs.config.ts`)
  return {
    isRunning: false,
    start: ((args: readonly string[], { env = process.env, ...options }: SpawnOptions) =>
      spawn(process.execPath, [file, ...args], {
        ...options,
        env: { ...env, TEST_PROGRAM: source, NODE_COMPILE_CACHE: join(dir, 'compiled') },
      })) as Program['start'],
  }
}

function neverHere(source: string): never {
  throw new Error(`${basename(source)} does not start itself`)
}

async function build(dir: string): Promise<void> {
  const built = join(dir, '.built')
  if (existsSync(built)) return
  mkdirSync(parent, { recursive: true })
  try {
    mkdirSync(dir)
  } catch {
    return waitFor(dir, built)
  }
  const args = [join(modules, 'vite/bin/vite.js'), 'build', server, '--config', join(server, 'test/programs.config.ts')]
  const child = spawn(process.execPath, [...args, '--logLevel', 'warn'], {
    env: { ...process.env, NODE_ENV: 'production', TEST_PROGRAMS: dir },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const complaint = text(child.stderr)
  const [status] = await once(child, 'exit')
  if (status !== 0) {
    remove(dir)
    throw new Error(`The programs of tests were not built:\n${await complaint}`)
  }
  writeFileSync(built, '')
}

async function waitFor(dir: string, built: string): Promise<void> {
  while (!existsSync(built)) {
    if (!existsSync(dir)) throw new Error('The programs of tests were not built; another file of tests says why')
    await sleep(100)
  }
}
