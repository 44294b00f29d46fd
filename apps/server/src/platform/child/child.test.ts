import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isAlive } from '../../../test/fast-tmpdir.ts'
import { AppError } from '../errors.ts'
import { startChild } from './start-child.ts'

const file = fileURLToPath(new URL('./test/sample-child.ts', import.meta.url))
const memoryMb = 64
const { signal } = new AbortController()

async function answerTo(does: string): Promise<unknown> {
  const child = await startChild(file, { memoryMb, signal })
  await child.tell({ does })
  return child.answer
}

test('a child takes lines, tells news and answers, without the keys of its parent', async () => {
  const news: unknown[] = []
  process.env['KEY'] = 'secret'
  const child = await startChild(file, { memoryMb, signal, env: {}, onNews: (one) => news.push(one) })
  delete process.env['KEY']
  await child.tell({ does: 'sum' })
  for (const number of [1, 2, 3]) await child.tell({ number })
  await child.tell({ end: true })
  expect(await child.answer).toEqual({ sum: 6, key: null })
  expect(news).toEqual([1, 3, 6])
  await child.end()
  expect(child.isGone()).toBe(true)
  // Nobody reads it any more, and nobody is told so.
  await child.tell({ number: 4 })
})

test('what it throws is thrown here, with its code', async () => {
  await expect(answerTo('miss')).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' })
  const refusal = await answerTo('refuse').catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(AppError)
  expect(refusal).toMatchObject({ code: 'conflict', message: 'Not like this' })
})

test('one that ends without a word is told as that', async () => {
  await expect(answerTo('crash')).rejects.toThrow('The child process ended with 3')
})

test('it works at the lowest priority, and ends when it is given up', async () => {
  const giveUp = new AbortController()
  const { promise: started, resolve } = Promise.withResolvers<unknown>()
  const child = await startChild(file, { memoryMb, signal: giveUp.signal, onNews: resolve })
  await child.tell({ does: 'wait' })
  const { pid } = (await started) as { pid: number }
  expect(getPriority(pid)).toBe(19)
  giveUp.abort(new Error('given up'))
  await expect(child.answer).rejects.toThrow('given up')
  await child.end()
  expect(isAlive(pid)).toBe(false)
})

test('one that was told to end with the console does so in the midst of its work', async () => {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  child.stdin.write('{"does":"wait"}\n')
  await once(child.stdout, 'data')
  child.stdin.end()
  expect(await ended).toEqual([1, null])
})
