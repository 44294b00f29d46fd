export type StreamEvent = { type: string; data: string; id: string }

/** Reads server-sent events out of an answer's body. `heard` is told of every byte, comments included. */
export async function* eventsOf(body: ReadableStream<Uint8Array>, heard: () => void = () => {}) {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      heard()
      const blocks = (rest + value).replace(/\r\n?/g, '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseBlock(block)
        if (event) yield event
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function parseBlock(block: string): StreamEvent | null {
  const event: StreamEvent = { type: 'message', data: '', id: '' }
  const data: string[] = []
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon === 0) continue
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    else if (field === 'event') event.type = value
    else if (field === 'id') event.id = value
  }
  if (data.length === 0) return null
  event.data = data.join('\n')
  return event
}
