import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AppContext } from '../../context.ts'
import type { ChangeTopic } from '../../platform/changes.ts'
import type { Reply } from '../../platform/http/routes.ts'
import { createEventStreams } from './streams.ts'

/** A reader whose connection takes as much as the test lets it. */
class Socket extends EventEmitter {
  written: string[] = []
  takesMore = true
  isDestroyed = false
  writeHead = () => this
  write(text: string): boolean {
    this.written.push(text)
    return this.takesMore
  }
  end = () => this.emit('close')
  destroy = () => {
    this.isDestroyed = true
    this.emit('close')
  }
}

let tell: (topics: ReadonlySet<ChangeTopic>) => void = () => {}
const ctx = {
  changes: { subscribe: (listener: typeof tell) => (tell = listener) },
} as unknown as AppContext
const actor = { type: 'user', id: 'u', name: 'U', role: 'r', permissions: new Set(['billing.read'] as const) } as const

function open(socket: Socket) {
  const streams = createEventStreams(ctx)
  const reply = { raw: socket, header: () => reply, hijack: () => {}, getHeaders: () => ({}) }
  streams.open(reply as unknown as Reply, actor, () => actor)
  return streams
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a slow reader is told once, when it can take more, of all that changed meanwhile', () => {
  const socket = new Socket()
  open(socket)
  socket.takesMore = false
  tell(new Set(['payments']))
  tell(new Set(['plans']))
  tell(new Set(['payments', 'invoices']))
  expect(socket.written.slice(1)).toEqual(['event: changes\ndata: {"topics":["payments"]}\n\n'])
  socket.takesMore = true
  socket.emit('drain')
  expect(socket.written.slice(2)).toEqual(['event: changes\ndata: {"topics":["plans","payments","invoices"]}\n\n'])
})

test('pings every fifteen seconds, and gives up on who reads nothing for two of them', () => {
  const socket = new Socket()
  const streams = open(socket)
  vi.advanceTimersByTime(15_000)
  expect(socket.written.at(-1)).toBe(': ping\n\n')
  socket.takesMore = false
  tell(new Set(['payments']))
  vi.advanceTimersByTime(15_000)
  expect(socket.isDestroyed).toBe(false)
  vi.advanceTimersByTime(15_000)
  expect([socket.isDestroyed, streams.count()]).toEqual([true, 0])
})

test('no timer runs without a stream', () => {
  const socket = new Socket()
  open(socket)
  expect(vi.getTimerCount()).toBe(2)
  socket.emit('close')
  expect(vi.getTimerCount()).toBe(0)
})
