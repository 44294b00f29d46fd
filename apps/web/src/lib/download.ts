import { type Endpoint, type Input, send } from './api.ts'

type Options = {
  signal?: AbortSignal
  /** Told of every piece as it arrives. */
  onBytes?: (bytes: Uint8Array) => void
}

/** Saves an endpoint's file. It cannot be a plain link, because the key travels in a header. */
export async function download<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  fallbackName: string,
  { signal, onBytes }: Options = {},
): Promise<void> {
  const response = await send(endpoint, input, { signal })
  const watched = response.body && onBytes ? watch(response.body, onBytes) : response.body
  const type = response.headers.get('content-type') ?? ''
  // An answer that breaks off rejects here, so that half a file is never saved.
  const file = await new Response(watched, { headers: { 'content-type': type } }).blob()
  saveFile(nameFrom(response.headers.get('content-disposition')) ?? fallbackName, file)
}

/** Saves a text that the page itself has. */
export function saveText(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: 'text/plain' }))
}

function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Chromium reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function watch(body: ReadableStream<Uint8Array>, onBytes: (bytes: Uint8Array) => void): ReadableStream {
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        onBytes(bytes)
        controller.enqueue(bytes)
      },
    }),
  )
}

function nameFrom(disposition: string | null): string | undefined {
  return disposition?.match(/filename="?([^";]+)"?/)?.[1]
}
