import { expect, test, vi } from 'vitest'
import { eventsOf } from './event-stream.ts'

function streamOf(...parts: string[]): ReadableStream<Uint8Array> {
  const bytes = parts.map((part) => new TextEncoder().encode(part))
  return new ReadableStream({
    start: (controller) => {
      for (const part of bytes) controller.enqueue(part)
      controller.close()
    },
  })
}

async function read(...parts: string[]) {
  const events = []
  for await (const event of eventsOf(streamOf(...parts))) events.push(event)
  return events
}

test('reads events however the network cuts them', async () => {
  expect(
    await read('event: cha', 'nges\nid: 7\ndata: {"topics"', ':["payments"]}\n', '\nevent: x\ndata: 1\n\n'),
  ).toEqual([
    { type: 'changes', id: '7', data: '{"topics":["payments"]}' },
    { type: 'x', id: '', data: '1' },
  ])
})

test('skips comments, joins data lines and takes any line ending', async () => {
  expect(await read(': ping\r\n\r\ndata: a\r\ndata: b\r\n\r\n')).toEqual([{ type: 'message', id: '', data: 'a\nb' }])
})

test('leaves out an event that was cut off', async () => {
  expect(await read('data: whole\n\ndata: cut')).toEqual([{ type: 'message', id: '', data: 'whole' }])
})

test('tells of every byte, comments included', async () => {
  const heard = vi.fn()
  for await (const _ of eventsOf(streamOf(': ping\n\n', ': ping\n\n'), heard));
  expect(heard).toHaveBeenCalledTimes(2)
})
