import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder: string
let running: ChildProcess[] = []
const at = (path: string) => join(folder, path)

/** A console that ends each time as the next line says, and waits for a signal when there is none. */
const program = `
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs')
const ends = readFileSync('ends', 'utf8').split('\\n').filter(Boolean)
const end = ends.shift()
writeFileSync('ends', ends.join('\\n'))
appendFileSync('starts', process.pid + ' ' + process.env.CONSOLE_FALLS + ' ' + process.env.CONSOLE_KEEPER + '\\n')
appendFileSync('collects', typeof gc + '\\n')
if (end === 'kill') process.kill(process.pid, 'SIGKILL')
if (end !== undefined) process.exit(Number(end))
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => { appendFileSync('signals', signal + '\\n'); process.exit(0) })
setInterval(() => {}, 1000)
`

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agency-keeper-'))
  for (const path of ['scripts', 'apps/server/dist']) mkdirSync(at(path), { recursive: true })
  for (const name of ['console.sh', 'node-flags'])
    cpSync(fileURLToPath(new URL(name, import.meta.url)), at(`scripts/${name}`))
  writeFileSync(at('apps/server/dist/main.js'), program)
})
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running = []
  rmSync(folder, { recursive: true, force: true })
})

function keep(...ends: string[]) {
  writeFileSync(at('ends'), ends.join('\n'))
  // Its pauses are for a machine that is in trouble, not for a test.
  mkdirSync(at('bin'))
  writeFileSync(at('bin/sleep'), `#!/bin/sh\necho "$1" >> '${at('pauses')}'\n`)
  chmodSync(at('bin/sleep'), 0o755)
  const env = { ...process.env, PATH: `${at('bin')}:${process.env['PATH']}` }
  const child = spawn('sh', ['scripts/console.sh'], { cwd: folder, env, stdio: 'ignore' })
  running.push(child)
  return { child, ended: once(child, 'exit').then(([status]) => status as number | null) }
}

const linesOf = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8').trim().split('\n') : [])
const untilStarted = (times: number) => expect.poll(() => linesOf('starts').length).toBe(times)

describe('the keeper of the console', () => {
  test('starts a fallen one again, later and later, and tells it how often', async () => {
    const { child, ended } = keep('70', 'kill', '134', '0')
    expect(await ended).toBe(0)
    expect(linesOf('starts').map((line) => line.split(' ').slice(1))).toEqual(
      ['0', '1', '2', '3'].map((falls) => [falls, String(child.pid)]),
    )
    expect(linesOf('pauses')).toEqual(['1', '2', '4'])
  })

  test('starts one that can ask for a collection', async () => {
    await keep('0').ended
    expect(linesOf('collects')).toEqual(['function'])
  })

  test('ends with one that could not start', async () => {
    expect(await keep('1').ended).toBe(1)
    expect(linesOf('starts')).toHaveLength(1)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('hands on %s, and nothing is left running', async (signal) => {
    const { child, ended } = keep()
    await untilStarted(1)
    await expect
      .poll(() => {
        child.kill(signal)
        return linesOf('signals')
      })
      .toContain(signal)
    expect(await ended).toBe(0)
    const [pid = ''] = linesOf('starts')[0]?.split(' ') ?? []
    expect(existsSync(`/proc/${pid}`)).toBe(false)
  })
})
