/** Whole seconds to wait, from either form of the header (RFC 9110, 10.2.3): at most `most`; undefined when it says none. */
export function retryAfterOf(header: string | null | undefined, most: number): number | undefined {
  if (header === null || header === undefined || header.trim() === '') return undefined
  const seconds = Number(header)
  const wait = Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds
  return Number.isFinite(wait) ? Math.min(Math.ceil(Math.max(wait, 0)), most) : undefined
}
