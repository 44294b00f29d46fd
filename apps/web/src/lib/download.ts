import { type Endpoint, type Input, send } from './api.ts'

/** Saves an endpoint's file. It cannot be a plain link, because the key travels in a header. */
export async function download<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  fallbackName: string,
  signal?: AbortSignal,
): Promise<void> {
  const response = await send(endpoint, input, { signal })
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = nameFrom(response.headers.get('content-disposition')) ?? fallbackName
  link.click()
  // Chromium reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export function nameFrom(disposition: string | null): string | undefined {
  return disposition?.match(/filename="?([^";]+)"?/)?.[1]
}
