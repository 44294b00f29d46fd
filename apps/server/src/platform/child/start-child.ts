import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { AppError } from '../errors.ts'
import { type Failed, linesOf, type Said, toLine } from './wire.ts'

export type ChildSettings = {
  /** Ends it, and whoever waits for its answer hears why. */
  signal: AbortSignal
  memoryMb: number
  /** Of its own; else it has ours. */
  env?: NodeJS.ProcessEnv
  onNews?(news: unknown): void
}

export type Child<Answer> = {
  /** Hands a line over as fast as it is taken. Once the child is gone nothing is done: how it ended says more. */
  tell(line: object): Promise<void>
  /** It will read nothing more. */
  isGone(): boolean
  /** Its last word. Throws what it threw, with the code that a database or a disk gave it. */
  answer: Promise<Answer>
  /** Ends it, whatever it is at. */
  end(): Promise<void>
}

/**
 * Starts one of our own files as a process, at the lowest priority: its memory and its work are not the console's, and
 * whoever works with the console goes first. It ends with the console.
 */
export async function startChild<Answer>(
  file: string,
  { signal, memoryMb, env, onNews }: ChildSettings,
): Promise<Child<Answer>> {
  signal.throwIfAborted()
  // V8's helpers would not have the priority of the process.
  const child = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, '--v8-pool-size=1', file], {
    ...{ stdio: ['pipe', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL', ...(env && { env }) },
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await once(child, 'spawn')
  const { pid, stdin, stdout, stderr } = child
  // That it was ended is seen at its exit.
  child.on('error', () => {})
  stdin.on('error', () => {})
  if (pid !== undefined) yieldToOthers(pid)
  const complaint = text(stderr)

  async function lastWord(): Promise<Answer> {
    let last: Exclude<Said, { news: unknown }> | undefined
    for await (const line of linesOf(stdout)) {
      const said = JSON.parse(line) as Said
      if ('news' in said) onNews?.(said.news)
      else last = said
    }
    const status = await ended
    signal.throwIfAborted()
    if (!last) throw new Error(`The child process ended with ${status}: ${(await complaint).slice(-2000)}`)
    if ('failed' in last) throw errorOf(last.failed)
    return last.answer as Answer
  }

  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null || stdin.destroyed
  const answer = lastWord()
  // Heard by whoever waits for it, perhaps later.
  answer.catch(() => {})
  return {
    answer,
    isGone,
    async tell(line) {
      if (isGone() || stdin.write(toLine(line))) return
      const waiting = new AbortController()
      await Promise.race(['drain', 'close'].map((name) => once(stdin, name, waiting)))
        .catch(() => {})
        .finally(() => waiting.abort())
    },
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // Ended already: that is seen at its exit.
  }
}

function errorOf({ name, message, stack, code, syscall }: Failed): Error {
  const error = name === 'AppError' ? new AppError(code as AppError['code'], message) : new Error(message)
  return Object.assign(error, { name, ...(stack && { stack }), ...(code && { code }), ...(syscall && { syscall }) })
}
