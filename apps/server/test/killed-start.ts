import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { programOf } from './programs.ts'

const main = await programOf(new URL('../src/main.ts', import.meta.url).href)

/** A console on this DATA_DIR, as a process group of its own with everything that the start runs. */
export function startIn(dataDir: string) {
  const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  const child = main.start([], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const pid = child.pid as number
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const ended = once(child, 'exit').then(([status, signal]) => (status ?? signal) as number | string)
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const address = /ready at (http:\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    })
    void ended.then((status) => reject(new Error(`the start ended with ${status}: ${output.slice(-3000)}`)))
  })
  ready.catch(() => {})
  return {
    ready,
    ended,
    kill: {
      console: () => process.kill(pid, 'SIGKILL'),
      group: () => process.kill(-pid, 'SIGKILL'),
      /** As when the machine loses its power, or a container ends. */
      all() {
        const database = serversOf(dataDir)
        process.kill(-pid, 'SIGKILL')
        for (const server of database) killIfThere(server)
      },
      ask: () => process.kill(pid, 'SIGTERM'),
    },
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const commandLineOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** The database servers that run on this DATA_DIR. */
export const serversOf = (dataDir: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLineOf(name).includes(`agency.data=${dataDir}/pg`))
    .map(Number)

export async function endServers(dataDir: string): Promise<void> {
  for (const server of serversOf(dataDir)) killIfThere(server)
  while (serversOf(dataDir).length > 0) await sleep(20)
}

/** The same numbers for the same seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
