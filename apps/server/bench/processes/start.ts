import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Answer, Ask, Ready } from './messages.ts'

type Question = Ask extends infer A ? (A extends Ask ? Omit<A, 'id'> : never) : never
export type Measured = {
  url: string
  ask<T>(question: Question): Promise<T>
  stop(): Promise<void>
  kill(): Promise<void>
}

/** What the console's keeper starts Node with. */
const keepersFlags = readFileSync(new URL('../../../../scripts/node-flags', import.meta.url), 'utf8')
  .trim()
  .split(' ')

/** Starts one of the processes beside this file and waits until it says where it listens. */
export async function startMeasured(name: string, env: Record<string, string>): Promise<Measured> {
  const child: ChildProcess = fork(new URL(`./${name}.ts`, import.meta.url), [], {
    execArgv: keepersFlags,
    env: { ...process.env, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  let next = 0
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
    child.on('message', (message: Answer | Ready) => {
      if ('ready' in message) resolve(message.ready)
      else waiting.get(message.id)?.(message)
    })
  })
  return {
    url,
    ask<T>(question: Question) {
      const id = ++next
      return new Promise<T>((resolve, reject) => {
        waiting.set(id, (answer) => {
          waiting.delete(id)
          if (answer.error === undefined) resolve(answer.value as T)
          else reject(new Error(answer.error))
        })
        child.send({ ...question, id })
      })
    },
    /** With no chance to end anything. */
    async kill() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await ended
    },
  }
}
